-- 001-S5 and S6 in two dimensions: two drops float on a bath shaken at 80 Hz with 0.45 g and feel each other's waves. 4 mm apart in case I,
-- 2.4 mm in case II (`--set apart=2.4`). With `--set gamma=3.3` they bounce.
local oil = material { rho = 949, sigma = 20.6e-3, mu = 949*20e-6 }
local apart = mm(option("apart", 4))
local gamma = option("gamma", 0.45)           -- shaking, in g; above about 1 the drops leave the bath
local f, peak, R = 80, 9.8*gamma, mm(0.8)
local function drop(name, side)
  return sphere { name = name, center = { mm(7.5) + side*apart/2, mm(4.9) + R + mm(0.2) }, radius = R, material = oil }
end
return scene {
  title   = "A promenading pair (2D)",
  domain  = { size = { mm(15), mm(10) }, cells = 96, sides = { top = "open" } },
  gravity = { 0, -9.8 },
  frame_position = function(t) return 0, -peak/(2*math.pi*f)^2*(1 - math.exp(-t*f/2))*math.sin(2*math.pi*f*t) end,
  liquids = { pool { name = "bath", depth = mm(4.9), material = oil }, drop("left", -1), drop("right", 1) },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 800, count = 120 },
}
