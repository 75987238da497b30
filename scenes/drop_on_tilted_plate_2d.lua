-- A drop on a tilted plate. Between the receding and the advancing angle its edge stays where it is, so the drop sticks until
-- rho g A sin(slope) exceeds sigma (cos(receding) - cos(advancing)): here up to 46 degrees. With --set slope=65 it slides.
local slope = degrees(option("slope", 30))
local oil = material { name = "oil", rho = 950, sigma = mN_per_m(21), mu = mPa_s(20) }
local foot = { mm(6, 6) }

return scene {
  title   = slope < degrees(46) and "A drop sticks to a tilted plate (2D)" or "A drop slides down a tilted plate (2D)",
  domain  = { size = { mm(10), mm(10) }, cells = 128 },
  gravity = { 0, -9.81 },
  liquids = { sphere { center = foot, radius = mm(1.3), material = oil } },  -- half of it lies in the plate and does not count
  solids  = {
    halfspace { point = foot, normal = { -math.sin(slope), math.cos(slope) }, name = "plate",
                contact_angle = { advancing = degrees(115), receding = degrees(65) } },
  },
  frames  = { rate = 100, count = 25 },
}
