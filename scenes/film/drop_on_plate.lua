-- A drop of water falls on a plate it does not wet, stays for 2.6 sqrt(rho R^3/sigma) and leaves again (Richard, Clanet & Quere
-- 2002). film = true: the air between the two is a film, as between two liquids (docs/film.md).
local R, V = mm(0.5), 0.5
return scene {
  title   = "A drop bounces off a plate",
  domain  = { size = { mm(3), mm(2.25), mm(3) }, cells = 48 },
  liquids = {
    sphere { name = "drop", center = { mm(1.5), mm(0.3) + 1.3*R, mm(1.5) }, radius = R, velocity = { 0, -V, 0 }, material = water },
  },
  solids  = { box { name = "plate", low = { mm(0.2), mm(-1), mm(0.2) }, high = { mm(2.8), mm(0.3), mm(2.8) }, film = true } },
  numerics = { tension_steps = 1 },
  frames  = { rate = 5000, count = 25 },
}
