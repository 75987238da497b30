-- A drop of water, 4 mm wide, falls at 3 m/s on a film 1.2 mm deep: two sheets shoot out at its foot and rise.
return scene {
  title   = "A drop makes a crown (2D)",
  domain  = { size = { mm(48), mm(16) }, cells = 384, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = {
    pool { depth = mm(1.25) },
    sphere { center = { mm(24, 4.2) }, radius = mm(2), velocity = { 0, -3 }, material = water },
  },
  frames  = { rate = 4000, count = 56 },
}
