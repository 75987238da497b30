-- Thirty drops rain on a pool: a grid of places, each moved by chance (the same chance every time).
local liquids = { pool { depth = mm(12), material = water } }
for row = 1, 5 do
  for column = 1, 6 do
    liquids[#liquids + 1] = sphere {
      center   = { mm(10*column - 5 + 3*(math.random() - 0.5)), mm(18 + 26*math.random()), mm(12*row - 6 + 4*(math.random() - 0.5)) },
      radius   = mm(1.8 + 0.9*math.random()),
      velocity = { 0, -0.7, 0 },
      material = water,
    }
  end
end
return scene {
  title   = "Rain of thirty drops on a pool",
  domain  = { size = { mm(60), mm(50), mm(60) }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = liquids,
  frames  = { rate = 250, count = 40 },
}
