-- Drops of rain hit a leaf that is held by its stalk: it dips, swings, and water runs off it.
return scene {
  title   = "A leaf in the rain",
  domain  = { size = { mm(22), mm(18), mm(12) }, cells = 44, contact_angle = degrees(130) },
  sheets  = {
    mesh { file = "leaf.obj", scale = 1e-3, name = "leaf", look = "green", position = { mm(3), mm(8.03), mm(6.04) },
           elastic = { young = 20e6, poisson = 0.3, thickness = mm(0.2), density = 900, damping = 4,
                       pins = { sphere { center = { 0, 0, 0 }, radius = mm(1.3) } } } },
  },
  liquids = {
    sphere { center = { mm(13.1), mm(12.6), mm(6.4) }, radius = mm(1.6), material = water, velocity = { 0, -1, 0 } },
    sphere { center = { mm(9.2), mm(15.5), mm(5.1) }, radius = mm(1.3), material = water, velocity = { 0, -1, 0 } },
  },
  frames  = { rate = 500, count = 20 },
}
