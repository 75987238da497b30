-- 000-V3: four droplets of the same shape swing side by side, sigma = 6 mN/m, R = 10 mm, without gravity. From left to right the
-- surface is a membrane of 0.5, 1 and 10 cells of liquid, and a level set. Mode 2: w^2 = 8 sigma/(rho R^3)/(1 + 2 h/R).
local how = ... or {}
local R, n = mm(10), option("cells", how.cells or 64)  -- cells across a box of 3.2 R
local dx, stretch = 3.2*R/n, 1.2^(2/3)
local function drop(i, thickness)
  local q = { center = { (i - 0.5)*3.2*R, 1.6*R, 1.6*R }, radii = { R*stretch, R/math.sqrt(stretch), R/math.sqrt(stretch) } }
  q.material = water { sigma = 0.006 }
  q.name = thickness and string.format("membrane %g", thickness) or "level set"
  q.surface, q.membrane = thickness and "membrane", thickness and { thickness = thickness*dx }
  return ellipsoid(q)
end
return scene {
  title   = how.title or "Droplets of thick and thin membranes",
  domain  = { size = { 12.8*R, 3.2*R, 3.2*R }, cells = 4*n },
  gravity = { 0, 0, 0 },
  liquids = { drop(1, 0.5), drop(2, 1), drop(3, 10), drop(4) },
  frames  = { rate = 40, count = option("frames", 88) },
}
