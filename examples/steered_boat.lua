local cells = option("cells", 64)  -- across the tank

return scene {
  title   = "A boat on a small pool",
  domain  = { size = { mm(64), mm(32) }, cells = cells },
  liquids = { pool { depth = mm(12) } },
  bodies  = { box { name = "boat", low = { mm(12), mm(10.5) }, high = { mm(24), mm(15) }, density = 500 } },
  frames  = { rate = 200, count = 40 },
}
