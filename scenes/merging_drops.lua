-- Two drops meet off-centre in free fall and become one spinning body.
return scene {
  title   = "Two drops merge",
  domain  = { size = { mm(20), mm(20), mm(20) }, cells = 96 },
  gravity = { 0, 0, 0 },
  liquids = {
    sphere { center = { mm(6), mm(9), mm(10) }, radius = mm(3), velocity = { 0.3, 0, 0 }, material = water },
    sphere { center = { mm(14), mm(11), mm(10) }, radius = mm(3), velocity = { -0.3, 0, 0 }, material = water },
  },
  frames  = { rate = 1000, count = 24 },
}
