-- A bath duck, a triangle mesh of our own (tools/meshes/make_duck.py), falls into the bath, rocks and floats.
local cells   = option("cells", 48)       -- along 20 cm
local density = option("density", 300)    -- kg/m^3
return scene {
  title   = "A duck",
  domain  = { size = { cm(20, 12.5, 15) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(5) } },
  bodies  = {
    move { rotate { mesh { file = "duck.obj", scale = 0.01 }, angle = degrees(-12), axis = { 0, 0, 1 } }, by = { cm(10, 7.4, 7.5) },
           name = "duck", density = density, look = "yellow" },
  },
  frames  = { rate = 50, count = 75 },
}
