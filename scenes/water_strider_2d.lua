-- A water strider stands on the water: its feet do not get wet, and the surface under them carries it.
local cells   = option("cells", 160)      -- along 40 mm
local density = option("density", 250)    -- kg/m^3
local angle   = option("angle", 150)      -- degrees, of its feet
local high    = option("high", 2)         -- mm that it falls from
local function limb(x, y, to_x, to_y, radius)
  return capsule { from = { mm(20 + x, 15.5 + high + y) }, to = { mm(20 + to_x, 15.5 + high + to_y) }, radius = mm(radius) }
end
return scene {
  title   = "A water strider, 2D",
  domain  = { size = { mm(40, 26) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(15) } },
  bodies  = {
    union { limb(-5, 4, 4.5, 4, 0.8), limb(5.2, 4.2, 5.8, 4.5, 0.9),
            limb(-3, 4, -7, 6, 0.4), limb(-7, 6, -13, 0, 0.4), limb(3, 4, 7, 6, 0.4), limb(7, 6, 13, 0, 0.4),
            density = density, contact_angle = degrees(angle), name = "strider", look = "black" },
  },
  frames  = { rate = 100, count = 60 },
}
