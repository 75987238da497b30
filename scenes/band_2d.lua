-- A drop falls on an elastic band held at both ends, in two dimensions: it swings, and the drop comes to rest on it.
return scene {
  title   = "A drop on an elastic band (2D)",
  domain  = { size = { mm(20), mm(20) }, cells = 80, contact_angle = degrees(110) },
  sheets  = {
    curve { points = { { mm(3), mm(9.07) }, { mm(17), mm(9.07) } }, name = "band", look = "orange",
            elastic = { young = 2e6, poisson = 0.4, thickness = mm(0.1), density = 1100, damping = 5,
                        pins = { sphere { center = { mm(3), mm(9.07) }, radius = mm(0.3) },
                                 sphere { center = { mm(17), mm(9.07) }, radius = mm(0.3) } } } },
  },
  liquids = { sphere { center = { mm(10.1), mm(13.5) }, radius = mm(2), material = water, velocity = { 0, -0.3 } } },
  frames  = { rate = 500, count = 100 },
}
