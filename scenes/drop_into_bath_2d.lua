-- The same in two dimensions: seconds instead of minutes.
return scene {
  title   = "A drop falls into a bath (2D)",
  domain  = { size = { mm(90), mm(60) }, cells = 270, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = {
    pool   { depth = mm(24), material = water },
    sphere { center = { mm(45), mm(32) }, radius = mm(4), velocity = { 0, -0.8 }, material = water },
  },
  frames  = { rate = 300, count = 75 },
}
