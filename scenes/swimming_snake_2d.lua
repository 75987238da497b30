-- A snake of seven links swims to the left: a wave runs from its head to its tail, by functions of time for its joints.
local cells  = option("cells", 120)
local swing  = option("swing", 28)   -- degrees that a joint bends
local beat   = option("beat", 2)     -- Hz
local drives = {}
for k = 1, 6 do
  local lag = 2*math.pi*k/6
  drives["bend" .. k] = function(t)
    return degrees(swing)*math.min(1, t/0.3)*math.sin(2*math.pi*beat*t - lag)
  end
end
return scene {
  title   = "A snake swims, 2D",
  domain  = { size = { cm(30, 12) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(10) } },
  bodies  = { mjcf = "snake.xml", at = { cm(16, 5) }, drives = drives, look = "green" },
  frames  = { rate = 40, count = 80 },
}
