-- A drop laid on a floor as a half disc spreads or draws back until it meets the floor at this angle.
local angle = degrees(option("angle", 60))  -- for instance --set angle=120

local oil = material { name = "oil", rho = 950, sigma = mN_per_m(21), mu = mPa_s(30) }

return scene {
  title   = "A drop finds its contact angle (2D)",
  domain  = { size = { mm(8), mm(4) }, cells = 128, contact_angle = angle },
  gravity = { 0, -9.81 },
  liquids = {
    sphere { center = { mm(4), 0 }, radius = mm(1.5), material = oil },
  },
  frames  = { rate = 400, count = 60 },
}
