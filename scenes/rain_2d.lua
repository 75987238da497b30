-- Thirty drops rain on a pool, in two dimensions.
local liquids = { pool { depth = mm(8), material = water } }
for n = 1, 30 do
  liquids[#liquids + 1] = sphere {
    center   = { mm(4 + 52*math.random()), mm(12 + 6*n) },
    radius   = mm(1.2 + 0.8*math.random()),
    velocity = { 0, -1.5 },
    material = water,
  }
end
return scene {
  title   = "Rain of thirty drops on a pool (2D)",
  domain  = { size = { mm(60), mm(200) }, cells = 180, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = liquids,
  frames  = { rate = 300, count = 60 },
}
