-- A snake of seven links swims along the surface: a wave runs from its head to its tail, by functions of time for its joints.
local cells  = option("cells", 84)   -- along 28 cm
local swing  = option("swing", 34)   -- degrees that the last joint bends; those before it bend less
local beat   = option("beat", 2)     -- Hz
local drives = {}
for k = 1, 6 do
  local lag = 2*math.pi*k/6
  drives["bend" .. k] = function(t)
    return degrees(swing)*(0.3 + 0.7*k/6)*math.min(1, t/0.3)*math.sin(2*math.pi*beat*t - lag)
  end
end
return scene {
  title   = "A snake swims",
  domain  = { size = { cm(28, 8, 14) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(5) } },
  bodies  = { mjcf = "snake_3d.xml", at = { cm(11, 5, 7) }, drives = drives, look = "green" },
  frames  = { rate = 40, count = 60 },
}
