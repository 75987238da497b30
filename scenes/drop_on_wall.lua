-- Four drops of the same size on four small plates: the same liquid, four contact angles.
local oil = material { name = "oil", rho = 950, sigma = mN_per_m(21), mu = mPa_s(30) }

-- A plate with a half ball on it, in the middle of its quarter of the floor.
local solids, liquids = {}, {}
for i, angle in ipairs { 60, 90, 120, 150 } do
  local x, z = 3 + 6*((i - 1)%2), i <= 2 and 3 or 9
  solids[i] = box { low = { mm(x - 2.7), mm(-1), mm(z - 2.7) }, high = { mm(x + 2.7), mm(0.8), mm(z + 2.7) },
                    contact_angle = degrees(angle), name = "plate" .. angle }
  liquids[i] = sphere { center = { mm(x), mm(0.8), mm(z) }, radius = mm(1.4), material = oil, name = "drop" .. angle }
end

return scene {
  title   = "Drops on plates of four contact angles",
  domain  = { size = { mm(12), mm(4), mm(12) }, cells = 96 },
  gravity = { 0, -9.81, 0 },
  liquids = liquids,
  solids  = solids,
  frames  = { rate = 400, count = 40 },
}
