-- A ball that no liquid wets, 0.4 times as dense as water, falls into a tank and floats: rings run outwards. [ruan2021], its sphere.
local cells = option("cells", 80)  -- along 20 cm
return scene {
  title   = "A ball falls and floats",
  domain  = { size = { cm(20), cm(10), cm(20) }, cells = cells },
  liquids = { pool { depth = cm(5), surface = "membrane", membrane = { steps = 4, edge = cm(20)/cells } } },
  bodies  = { sphere { name = "ball", center = { cm(10), cm(8), cm(10) }, radius = cm(2), density = 400,
                       contact_angle = degrees(180), look = "orange" } },
  frames  = { rate = 60, count = 120 },
}
