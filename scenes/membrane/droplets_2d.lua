-- 000-V3, quick and in 2D: four droplets of the same shape swing side by side, sigma = 6 mN/m, without gravity. From left to right
-- the surface is a membrane of 0.5, 1 and 10 cells of liquid, and a level set. Mode 2: w^2 = 6 sigma/(rho R^3)/(1 + 2 h/R).
local R, n = mm(10), option("cells", 48)  -- cells across a box of 3 R
local dx, stretch = 3*R/n, math.sqrt(1.2)
local function drop(i, thickness)
  local q = { center = { (i - 0.5)*3*R, 1.5*R }, radii = { R*stretch, R/stretch }, material = water { sigma = 0.006 } }
  q.name = thickness and string.format("membrane %g", thickness) or "level set"
  q.surface, q.membrane = thickness and "membrane", thickness and { thickness = thickness*dx }
  return ellipsoid(q)
end
return scene {
  title   = "Droplets of thick and thin membranes (2D)",
  domain  = { size = { 12*R, 3*R }, cells = 4*n },
  gravity = { 0, 0 },
  liquids = { drop(1, 0.5), drop(2, 1), drop(3, 10), drop(4) },
  frames  = { rate = 40, count = option("frames", 110) },
}
