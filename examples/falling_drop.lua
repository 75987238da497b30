local cells = option("cells", 48)  -- across the tank

return scene {
  title   = "A drop in free fall",
  domain  = { size = { mm(8), mm(8) }, cells = cells },
  gravity = { 0, -9.81 },
  liquids = { sphere { center = { mm(4), mm(5.5) }, radius = mm(1.5), material = water } },
  frames  = { rate = 500, count = 10 },
}
