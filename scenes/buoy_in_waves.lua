-- A buoy with a heavy foot, from an MJCF file, rides on waves that a paddle at the left makes.
local cells  = option("cells", 72)     -- along 36 cm
local stroke = option("stroke", 1)     -- cm
local rate   = option("rate", 1.8)     -- Hz
return scene {
  title   = "A buoy in waves",
  domain  = { size = { cm(36, 18, 15) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(9) } },
  solids  = {
    box { low = { cm(-1, 0, -1) }, high = { cm(2.5, 16, 16) }, name = "paddle", look = "steel",
          position = function(t)
            return { cm(stroke)*math.min(1, t/0.5)*math.sin(2*math.pi*rate*t), 0, 0 }
          end },
  },
  bodies  = { mjcf = "buoy_3d.xml", at = { cm(20, 9, 7.5) }, look = "red" },
  frames  = { rate = 30, count = 75 },
}
