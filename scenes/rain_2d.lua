-- Thirty drops rain on a pool, in two dimensions.
local liquids = { pool { depth = mm(14), material = water } }
for row = 1, 3 do
  for column = 1, 10 do
    liquids[#liquids + 1] = sphere {
      center   = { mm(12*column - 6 + 5*(math.random() - 0.5)), mm(10 + 12*row + 4*(math.random() - 0.5)) },
      radius   = mm(1.2 + 0.8*math.random()),
      velocity = { 0, -0.7 },
      material = water,
    }
  end
end
return scene {
  title   = "Rain of thirty drops on a pool (2D)",
  domain  = { size = { mm(120), mm(60) }, cells = 320, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = liquids,
  frames  = { rate = 250, count = 50 },
}
