-- An open bottle lies on the water; it runs in through the neck until the bottle is too heavy, and sinks.
local cells   = option("cells", 60)       -- along 18 cm: its walls are 3 cells
local density = option("density", 1250)   -- kg/m^3, of its walls
local tilt    = option("tilt", -78)       -- degrees from upright
local function part(r, low, high)         -- cm: radius, from the bottom up
  return cylinder { from = { cm(0, low, 0) }, to = { cm(0, high, 0) }, radius = cm(r) }
end
return scene {
  title   = "A bottle fills and sinks",
  domain  = { size = { cm(18, 12, 9) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(7) } },
  bodies  = {
    move { rotate { difference { union { part(2.6, 0, 6.5), part(1.8, 6.5, 9) }, part(1.7, 0.9, 5.6), part(0.9, 5, 10) },
                    angle = degrees(tilt), axis = { 0, 0, 1 } },
           by = { cm(4.5, 8, 4.5) }, density = density, contact_angle = degrees(60), name = "bottle", look = "green" },
  },
  frames  = { rate = 50, count = 75 },
}
