-- A standing wave of 8 mm on deep water, where tension and gravity pull about alike (at 17 mm they are equal):
-- omega^2 = (g k + sigma k^3/rho) tanh(k h). Two wavelengths between the walls; the probe sits on a crest.
local length, depth, height = mm(8), mm(8), mm(0.8)
local crests = {}
for i = 0, 320 do  -- the cosine as a row of thin boxes
  local x = mm(16)*i/320
  crests[#crests + 1] = box { low = { x - mm(0.03), -mm(1) }, high = { x + mm(0.03), depth + height*math.cos(2*math.pi*x/length) } }
end
return scene {
  title   = "A capillary wave (2D)",
  domain  = { size = { mm(16), mm(12) }, cells = 128 },
  gravity = { 0, -9.81 },
  liquids = { union(crests) },
  probes  = { { name = "crest", kind = "height", at = { mm(8), mm(8) } } },
  frames  = { rate = 1000, count = 90 },
}
