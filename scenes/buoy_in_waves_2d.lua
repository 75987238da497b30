-- A buoy with a heavy foot rides on waves that a paddle at the left makes.
local cells  = option("cells", 160)
local stroke = option("stroke", 0.7)   -- cm
local rate   = option("rate", 1.5)     -- Hz
return scene {
  title   = "A buoy in waves, 2D",
  domain  = { size = { cm(48, 18) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(9) } },
  solids  = {
    box { low = { cm(-1, 0) }, high = { cm(2, 16) }, name = "paddle", look = "steel",
          position = function(t)
            return { cm(stroke)*math.min(1, t/0.5)*math.sin(2*math.pi*rate*t), 0 }
          end },
  },
  bodies  = { mjcf = "buoy.xml", at = { cm(26, 9.2) }, look = "red" },
  frames  = { rate = 30, count = 120 },
}
