-- A tap fills a glass that is a third full: 38 ml/s through a nozzle of 9 mm across.
local r, speed = mm(4.5), 0.6
return scene {
  title   = "A glass is filled by a jet",
  domain  = { size = { cm(8), cm(12), cm(8) }, cells = 64, sides = { left = "open", right = "open", front = "open", back = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = {
    cylinder { from = { cm(4), cm(0.8), cm(4) }, to = { cm(4), cm(3.3), cm(4) }, radius = cm(2.5), material = water },
  },
  solids  = {
    difference { cylinder { from = { cm(4), 0, cm(4) }, to = { cm(4), cm(8), cm(4) }, radius = cm(3) },
                 cylinder { from = { cm(4), cm(0.8), cm(4) }, to = { cm(4), cm(9), cm(4) }, radius = cm(2.5) }, name = "glass" },
  },
  sources = {
    cylinder { name = "tap", from = { cm(4), cm(10.5), cm(4) }, to = { cm(4), cm(12), cm(4) }, radius = r,
               velocity = { 0, -speed, 0 }, rate = math.pi*r*r*speed, material = water, stop = 0.9 },
  },
  frames  = { rate = 50, count = 60 },
}
