-- The same in two dimensions: seconds instead of minutes.
return scene {
  title   = "A drop falls into a bath (2D)",
  domain  = { size = { mm(40), mm(40) }, cells = 160 },
  gravity = { 0, -9.81 },
  liquids = {
    pool   { depth = mm(14), material = water },
    sphere { center = { mm(20), mm(26) }, radius = mm(4), velocity = { 0, -1.5 }, material = water },
  },
  frames  = { rate = 400, count = 80 },
}
