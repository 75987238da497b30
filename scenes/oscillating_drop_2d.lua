-- A drop of water of 3 mm, pulled long, swings between long and wide: mode 2, without gravity.
return scene {
  title   = "A drop swings (2D)",
  domain  = { size = { mm(12), mm(12) }, cells = 96 },
  gravity = { 0, 0 },
  liquids = { ellipsoid { center = { mm(6, 6) }, radii = { mm(4.1, 2.2) }, material = water } },
  frames  = { rate = 1000, count = 60 },
}
