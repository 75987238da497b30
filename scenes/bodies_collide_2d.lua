-- Two blocks under water, one lighter and one heavier than it, thrown at each other.
local cells = option("cells", 120)
return scene {
  title   = "Two bodies meet under water, 2D",
  domain  = { size = { cm(12, 8) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = cm(6) } },
  bodies  = {
    sphere { name = "light", center = { cm(3.5, 3) }, radius = cm(0.9), density = 900, velocity = { 0.3, 0 }, look = "orange" },
    box    { name = "heavy", center = { cm(8.5, 3.2) }, size = { cm(1.6, 1.6) }, density = 1200, velocity = { -0.3, 0 }, look = "steel" },
  },
  frames  = { rate = 100, count = 120 },
}
