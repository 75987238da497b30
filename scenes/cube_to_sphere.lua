-- A cube of water, 6 mm wide, let go without gravity: its corners snap in, and it swings about the ball it will be, less and less.
return scene {
  title   = "A cube of water swings about a ball",
  domain  = { size = { mm(12), mm(12), mm(12) }, cells = 48 },
  gravity = { 0, 0, 0 },
  liquids = { box { center = { mm(6, 6, 6) }, size = { mm(6, 6, 6) }, rounding = mm(0.4), material = water } },
  frames  = { rate = 1000, count = 80 },
}
