-- Two drops meet off-centre in free fall and become one spinning body, in two dimensions.
return scene {
  title   = "Two drops merge (2D)",
  domain  = { size = { mm(20), mm(20) }, cells = 128 },
  gravity = { 0, 0 },
  liquids = {
    sphere { center = { mm(6), mm(9) }, radius = mm(3), velocity = { 0.3, 0 }, material = water },
    sphere { center = { mm(14), mm(11) }, radius = mm(3), velocity = { -0.3, 0 }, material = water },
  },
  frames  = { rate = 1000, count = 24 },
}
