-- Drops of the same size on small plates: the same liquid, four contact angles. --set angle=120 has one plate, of that angle.
local angle = option("angle", 0)  -- degrees; 0: 60, 90, 120 and 150
local angles = angle > 0 and { angle } or { 60, 90, 120, 150 }
local oil = material { name = "oil", rho = 950, sigma = mN_per_m(21), mu = mPa_s(30) }

-- A plate with a half ball on it, in the middle of its quarter of the floor.
local solids, liquids = {}, {}
for i, a in ipairs(angles) do
  local x, z = 3 + 6*((i - 1)%2), i <= 2 and 3 or 9
  solids[i] = box { low = { mm(x - 2.7), mm(-1), mm(z - 2.7) }, high = { mm(x + 2.7), mm(0.8), mm(z + 2.7) },
                    contact_angle = degrees(a), name = "plate" .. i, look = "white" }
  liquids[i] = sphere { center = { mm(x), mm(0.8), mm(z) }, radius = mm(1.4), material = oil, name = "drop" .. i }
end
local width = mm(#angles == 1 and 6 or 12)

return scene {
  title   = #angles == 4 and "Drops on plates of four contact angles" or "A drop on a plate of one contact angle",
  domain  = { size = { width, mm(4), width }, dx = mm(0.125),
              sides = { left = "open", right = "open", front = "open", back = "open", top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = liquids,
  solids  = solids,
  frames  = { rate = 400, count = 40 },
}
