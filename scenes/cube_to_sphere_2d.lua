-- A square of water, 6 mm wide, let go without gravity, swings about a disc.
return scene {
  title   = "A square of water swings about a disc (2D)",
  domain  = { size = { mm(12), mm(12) }, cells = 128 },
  gravity = { 0, 0 },
  liquids = { box { center = { mm(6, 6) }, size = { mm(6, 6) }, rounding = mm(0.3), material = water } },
  frames  = { rate = 1000, count = 80 },
}
