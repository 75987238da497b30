-- Thirty drops rain on a pool, at random places (the same ones every time).
local liquids = { pool { depth = mm(8), material = water } }
for n = 1, 30 do
  liquids[#liquids + 1] = sphere {
    center   = { mm(4 + 32*math.random()), mm(11 + 5*n), mm(4 + 32*math.random()) },
    radius   = mm(1.5 + 0.7*math.random()),
    velocity = { 0, -1.5, 0 },
    material = water,
  }
end
return scene {
  title   = "Rain of thirty drops on a pool",
  domain  = { size = { mm(40), mm(170), mm(40) }, cells = 64, sides = { top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = liquids,
  frames  = { rate = 300, count = 60 },
}
