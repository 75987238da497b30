-- A tap fills a glass that is a third full, in two dimensions.
local half, speed = mm(2), 0.4
return scene {
  title   = "A glass is filled by a jet (2D)",
  domain  = { size = { cm(8), cm(12) }, cells = 128, sides = { left = "open", right = "open" } },
  gravity = { 0, -9.81 },
  liquids = { box { low = { cm(2), cm(0.6) }, high = { cm(6), cm(3) }, material = water } },
  solids  = {
    difference { box { low = { cm(1.5), 0 }, high = { cm(6.5), cm(8) } }, box { low = { cm(2), cm(0.6) }, high = { cm(6), cm(9) } },
                 name = "glass" },
  },
  sources = {
    box { name = "tap", low = { cm(4) - half, cm(10.5) }, high = { cm(4) + half, cm(12) },
          velocity = { 0, -speed }, rate = 2*half*speed, material = water, stop = 1.0 },
  },
  frames  = { rate = 50, count = 75 },
}
