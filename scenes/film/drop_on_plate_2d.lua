-- A drop of water falls on a plate it does not wet, stays for 2.6 sqrt(rho R^3/sigma) and leaves again (Richard, Clanet & Quere
-- 2002), in two dimensions. film = true: the air between the two is a film, as between two liquids (docs/film.md).
local R, V = mm(0.5), 0.5
return scene {
  title   = "A drop bounces off a plate (2D)",
  domain  = { size = { mm(4), mm(3) }, cells = 64 },
  liquids = { sphere { name = "drop", center = { mm(2), mm(0.4) + 1.3*R }, radius = R, velocity = { 0, -V }, material = water } },
  solids  = { box { name = "plate", low = { mm(-1), mm(-1) }, high = { mm(5), mm(0.4) }, film = true } },
  numerics = { tension_steps = 1 },
  frames  = { rate = 5000, count = 40 },
}
