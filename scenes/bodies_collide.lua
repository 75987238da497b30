-- A ball and a block under water, one lighter and one heavier than it, are thrown at each other.
local cells = option("cells", 48)   -- along 12 cm
return scene {
  title   = "Two bodies meet under water",
  domain  = { size = { cm(12, 8, 7) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(6) } },
  bodies  = {
    sphere { name = "light", center = { cm(3.5, 3, 3.5) }, radius = cm(1), density = 900, velocity = { 0.35, 0, 0 }, look = "orange" },
    rotate { box { center = { cm(8.5, 3.3, 3.7) }, size = { cm(1.8, 1.8, 1.8) } }, about = { cm(8.5, 3.3, 3.7) },
             angle = degrees(25), axis = { 0, 1, 0 },
             name = "heavy", density = 1200, velocity = { -0.35, 0, 0 }, look = "steel" },
  },
  frames  = { rate = 60, count = 60 },
}
