-- An open bottle lies on the water; it runs in through the neck until the bottle is too heavy, and sinks.
local cells   = option("cells", 160)      -- along 24 cm: its walls are 3 cells
local density = option("density", 1700)   -- kg/m^3, of its walls
local tilt    = option("tilt", -72)       -- degrees from upright
local function part(x, low, high)         -- cm: half width, from the bottom up
  return box { low = { cm(-x, low) }, high = { cm(x, high) } }
end
return scene {
  title   = "A bottle fills and sinks, 2D",
  domain  = { size = { cm(24, 18) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(10) } },
  bodies  = {
    move { rotate { difference { union { part(2.2, 0, 6), part(1.1, 6, 9) }, part(1.75, 0.45, 5.55), part(0.65, 5, 10) },
                    angle = degrees(tilt) },
           by = { cm(7.5, 12.4) }, density = density, contact_angle = degrees(60), name = "bottle", look = "green" },
  },
  frames  = { rate = 50, count = 100 },
}
