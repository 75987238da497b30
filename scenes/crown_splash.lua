-- A drop of water, 4 mm wide, falls at 3 m/s on a film 1.2 mm deep and throws up a crown. We = 500, Re = 12000.
return scene {
  title   = "A drop makes a crown",
  domain  = { size = { mm(24), mm(14), mm(24) }, cells = 96, sides = { top = "open", left = "open", right = "open", back = "open", front = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = {
    pool { depth = mm(1.25) },
    sphere { center = { mm(12, 4.2, 12) }, radius = mm(2), velocity = { 0, -3, 0 }, material = water },
  },
  frames  = { rate = 4000, count = 48 },
}
