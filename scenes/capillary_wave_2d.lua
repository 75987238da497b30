-- A standing wave of 8 mm on deep water: tension moves it five times as much as gravity does (at 17 mm they are equal),
-- omega^2 = (g k + sigma k^3/rho) tanh(k h), 30 ms a swing. Two waves between walls along which the water slips; the probe
-- sits on a crest.
local length, depth, height, parts = mm(8), mm(8), mm(0.4), 128
local function surface(x) return depth + height*math.cos(2*math.pi*x/length) end
local columns = { pool { depth = depth - 1.5*height } }
for i = 1, parts do  -- the cosine as straight pieces, overlapping a little
  local a, b = mm(16)*(i - 1)/parts, mm(16)*i/parts
  columns[#columns + 1] = intersection {
    box { low = { a - mm(0.06), 0 }, high = { b + mm(0.06), mm(12) } },
    halfspace { point = { (a + b)/2, (surface(a) + surface(b))/2 }, normal = { (surface(a) - surface(b))/(b - a), 1 } },
  }
end
return scene {
  title    = "A capillary wave (2D)",
  domain   = { size = { mm(16), mm(12) }, cells = 128 },
  gravity  = { 0, -9.81 },
  liquids  = { union(columns) },
  probes   = { { name = "crest", kind = "height", at = { mm(8), mm(8) } } },
  numerics = { slip = true },
  frames   = { rate = 1000, count = 90 },
}
