-- A ball of wood falls into a bath, goes under, comes up and floats; with --set density=2000 it sinks.
local density = option("density", 400)   -- kg/m^3
local cells   = option("cells", 80)
return scene {
  title   = "A ball falls into a bath, 2D",
  domain  = { size = { cm(20, 10) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(5) } },
  bodies  = {
    sphere { name = "ball", center = { cm(10, 7.5) }, radius = cm(1.5), density = density, look = density > 1000 and "steel" or "wood" },
  },
  frames  = { rate = 60, count = 120 },
}
