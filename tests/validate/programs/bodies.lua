-- A raft that is thrown askew into a bath; the other programs read what it leaves.
return scene {
  title   = "Bodies for other programs",
  domain  = { size = { mm(20), mm(16), mm(16) }, cells = 40, sides = { top = "open" } },
  liquids = { pool { depth = mm(6) } },
  bodies  = { box { name = "raft", center = { mm(9, 10, 8) }, size = { mm(6, 3, 4) }, density = 600, look = "orange",
                    velocity = { 0.2, 0, 0 }, spin = { 0, 0, 60 } } },
  frames  = { rate = 250, count = 6 },
}
