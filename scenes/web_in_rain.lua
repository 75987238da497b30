-- A spider's web in the rain: drops hang on its threads, run down to where threads meet, and drip.
local cells = option("cells", 100)
local rain = {}
local seed = 7
local function random()  -- 0 to 1, the same in every run
  seed = (seed*16807) % 2147483647
  return seed/2147483647
end
for ring = 1, 5 do
  for k = 1, 4 do
    local turn, far = 2*math.pi*(k + 0.5*ring)/4 + 0.3*random(), mm(1.5 + 1.0*ring)
    rain[#rain + 1] = sphere { center = { mm(10) + far*math.cos(turn), mm(10) + far*math.sin(turn) + mm(0.3), mm(4 + 0.25*random()) },
                               radius = mm(0.42 + 0.2*random()), velocity = { 0, -0.1, -0.02 } }
  end
end
return scene {
  title   = "A web in the rain",
  domain  = { size = { mm(20), mm(20), mm(8) }, cells = cells },
  webs    = { { center = { mm(10), mm(10), mm(4) }, size = mm(9), spokes = 14, turns = 7, radius = mm(0.05), density = 1200,
                young = 2e7, taut = 0.02, contact_angle = degrees(20), damping = { mass = 10 }, look = "white" } },
  liquids = rain,
  frames  = { rate = 500, count = 30 },
}
