-- Coffee is poured into a cup of no thickness, in two dimensions.
local half, speed = mm(2), 0.3
return scene {
  title   = "A cup of no thickness is filled (2D)",
  domain  = { size = { cm(8), cm(8) }, cells = 80 },
  sheets  = { cup { from = { cm(4), cm(0.83) }, to = { cm(4), cm(5) }, radius = cm(2.02), name = "cup", look = "white" } },
  liquids = { box { low = { cm(1.98), cm(0.83) }, high = { cm(6.02), cm(2.5) }, material = water } },
  sources = {
    box { name = "pot", low = { cm(4) - half, cm(6.5) }, high = { cm(4) + half, cm(7.5) },
          velocity = { 0, -speed }, rate = 2*half*speed, material = water, stop = 0.3 },
  },
  frames  = { rate = 50, count = 40 },
}
