-- Coffee is poured into a cup of no thickness.
local radius, speed, N = mm(4), 0.3, option("N", 64)
return scene {
  title   = "A cup of no thickness is filled",
  domain  = { size = { cm(8), cm(8), cm(8) }, cells = N },
  sheets  = { cup { from = { cm(4, 0.83, 4) }, to = { cm(4, 4.5, 4) }, radius = cm(2.5), name = "cup", look = "white" } },
  liquids = { cylinder { from = { cm(4, 0.83, 4) }, to = { cm(4, 2.03, 4) }, radius = cm(2.5), material = water } },
  sources = {
    cylinder { name = "pot", from = { cm(4, 6.4, 4) }, to = { cm(4, 7.4, 4) }, radius = radius,
               velocity = { 0, -speed, 0 }, rate = math.pi*radius^2*speed, material = water, stop = 0.5 },
  },
  frames  = { rate = 50, count = 50 },
}
