-- A drop of oil on a tilted plate. Its edge stays where it is between the receding and the advancing angle. On a round base, 2 R wide, that
-- holds the drop until rho g V sin(slope) exceeds 2 R sigma (cos(receding) - cos(advancing)) (Furmidge 1962): here up to 45 degrees. With
-- --set slope=65, a quarter more than it can hold, it slides.
local slope = degrees(option("slope", 30))
local oil = material { name = "oil", rho = 950, sigma = mN_per_m(21), mu = mPa_s(20) }
local foot = { mm(4.4, 6.2, 4) }

return scene {
  title   = slope < degrees(45) and "A drop sticks to a tilted plate" or "A drop slides down a tilted plate",
  domain  = { size = { mm(12), mm(10), mm(8) }, dx = mm(0.2),
              sides = { left = "open", right = "open", front = "open", back = "open", top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = { sphere { center = foot, radius = mm(1.6), material = oil } },  -- half of it lies in the plate and does not count
  solids  = {
    halfspace { point = foot, normal = { math.sin(slope), math.cos(slope), 0 }, name = "plate", look = "grey",
                contact_angle = { advancing = degrees(115), receding = degrees(65) } },
  },
  frames  = { rate = 200, count = 26 },
}
