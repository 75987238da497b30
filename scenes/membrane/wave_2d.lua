-- A standing wave of water in a tank of one wave of 16 mm, amplitude 0.4 mm, with a surface that is a mesh (or `--set
-- surface=levelset`): w^2 = (g k + sigma k^3/rho) tanh(k depth), 73 ms a swing.
local length, depth, height, parts = mm(16), mm(8), mm(0.4), 128
local function level(x) return depth + height*math.cos(2*math.pi*x/length) end
local columns = { pool { depth = depth - 1.5*height } }
for i = 1, parts do  -- the cosine as straight pieces, overlapping a little
  local a, b = length*(i - 1)/parts, length*i/parts
  columns[#columns + 1] = intersection {
    box { low = { a - mm(0.06), 0 }, high = { b + mm(0.06), mm(12) } },
    halfspace { point = { (a + b)/2, (level(a) + level(b))/2 }, normal = { (level(a) - level(b))/(b - a), 1 } },
  }
end
columns.surface, columns.material = option("surface", "membrane"), water
return scene {
  title    = "A standing wave of a mesh (2D)",
  domain   = { size = { mm(16), mm(12) }, cells = option("cells", 64) },
  liquids  = { union(columns) },
  probes   = { { name = "crest", kind = "height", at = { mm(8), mm(8) } } },
  numerics = { slip = true },
  frames   = { rate = 1000, count = option("frames", 220) },
}
