-- A drop of water of 3 mm, pulled long, swings between long and flat without gravity. Small swings of mode 2 take
-- 2 pi/sqrt(8 sigma/(rho R^3)) = 43 ms; this one is large, and slower.
return scene {
  title   = "A drop swings",
  domain  = { size = { mm(12), mm(12), mm(12) }, cells = 48 },
  gravity = { 0, 0, 0 },
  liquids = { ellipsoid { center = { mm(6, 6, 6) }, radii = { mm(2.35, 4.9, 2.35) }, material = water } },
  frames  = { rate = 1000, count = 60 },
}
