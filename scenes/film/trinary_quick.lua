-- 001-S3: three drops of tetradecane, R = 0.1706 mm, 0.5 m/s, meet at 120 degrees.
local tetradecane = material { rho = 762, sigma = 26.56e-3, mu = 2.1e-3 }
local R, V, reach = mm(0.1706), 0.5, 2.5*mm(0.1706)
local function drop(name, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return sphere { name = name, center = { mm(1) + reach*c, mm(1) + reach*s, mm(1/2) }, radius = R, velocity = { -V*c, -V*s, 0 },
                  material = tetradecane }
end
return scene {
  title   = "Three drops bounce (quick)",
  domain  = { size = { mm(2), mm(2), mm(1) }, cells = 64 },
  gravity = { 0, 0, 0 },
  liquids = { drop("a", math.rad(90)), drop("b", math.rad(210)), drop("c", math.rad(330)) },
  merge   = "hold",
  numerics = { tension_steps = 1 },
  frames  = { rate = 20000, count = 50 },
}
