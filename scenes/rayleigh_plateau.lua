-- A thread of water, 1 mm in radius and 18 mm long between two walls, slightly uneven, without gravity. Waves longer than its
-- girth grow, fastest those with k R = 0.7: it breaks into drops with small ones between them.
local R, wave, count = mm(1), mm(9), 2
local beads = {}
for i = 0, 160*count do
  local x = wave*count*i/(160*count)
  local r = R*(1 - 0.1*math.cos(2*math.pi*x/wave))
  beads[#beads + 1] = cylinder { from = { x - mm(0.04), mm(2.5), mm(2.5) }, to = { x + mm(0.04), mm(2.5), mm(2.5) }, radius = r }
end
return scene {
  title   = "A thread of water breaks into drops",
  domain  = { size = { wave*count, mm(5), mm(5) }, dx = mm(0.2) },
  gravity = { 0, 0, 0 },
  liquids = { union(beads) },
  frames  = { rate = 1000, count = 40 },
}
