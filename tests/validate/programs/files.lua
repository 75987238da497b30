-- A small splash that writes every format; the other programs read what it leaves.
return scene {
  title   = "Files for other programs",
  domain  = { size = { mm(20), mm(16), mm(16) }, cells = 40 },
  liquids = {
    pool   { depth = mm(5) },
    sphere { center = { mm(8, 10, 8) }, radius = mm(2.5), velocity = { 0, -1, 0 } },
  },
  solids  = {
    sphere { name = "ball", center = { mm(15, 5, 8) }, radius = mm(2), look = "orange" },
    box    { name = "mover", center = { mm(4, 5, 4) }, size = { mm(3, 3, 3) }, position = function(t) return 0.3*t, 0, 0 end },
  },
  frames  = { rate = 500, count = 4 },
  output  = { formats = { "obj", "usda", "vtkhdf", "vdb" } },
}
