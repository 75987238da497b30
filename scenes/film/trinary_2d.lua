-- 001-V7: three drops meet in one point and part again, in two dimensions.
local tetradecane = material { rho = 762, sigma = 26.56e-3, mu = 2.1e-3 }
local R, V, reach = mm(0.1706), 0.25, mm(0.1706)*2.5/math.sqrt(3)
local function drop(name, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return sphere { name = name, center = { mm(0.7) + reach*c, mm(0.7) + reach*s }, radius = R, velocity = { -V*c, -V*s },
                  material = tetradecane }
end
return scene {
  title   = "Three drops bounce (2D)",
  domain  = { size = { mm(1.4), mm(1.4) }, cells = 68 },
  gravity = { 0, 0 },
  liquids = { drop("a", math.rad(90)), drop("b", math.rad(210)), drop("c", math.rad(330)) },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 32 },
}
