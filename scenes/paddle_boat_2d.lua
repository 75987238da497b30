-- A boat from an MJCF file: the motor of the file turns its wheel, and the wheel drives it to the left.
local cells = option("cells", 240)
local rate  = option("rate", 9)   -- rad/s of the wheel
return scene {
  title   = "A boat with a paddle wheel, 2D",
  domain  = { size = { cm(60, 20) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(10) } },
  bodies  = {
    mjcf = "paddle_boat.xml", at = { cm(38, 10) }, look = "wood",
    controls = { engine = function(t) return rate*math.min(1, t/0.5) end },
  },
  frames  = { rate = 30, count = 100 },
}
