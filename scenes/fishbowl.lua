-- The fishbowl of [cohen2004]: a round bowl of glass, half full, 6 cm across, and a fish that swims in circles under the surface
-- and beats its tail. With tension the surface is smooth and its small ripples run ahead and die; without (--set tension=false) it
-- sloshes like a swimming pool.
local tension = option("tension", true)

local turn = 2*math.pi
local middle, level, inner, outer = { cm(3.6), cm(3.4), cm(3.6) }, cm(3.9), cm(3.0), cm(3.35)
local pace, ring = 0.7, cm(1.35)  -- rounds per second; radius of the path

-- Where the fish is and where it looks; it starts from rest within a quarter of a second.
local function swim(t)
  local a = turn*pace*(t < 0.25 and 2*t*t or t - 0.125)
  return { cm(3.6) + ring*math.cos(a), cm(3.2) + cm(0.35)*math.sin(turn*1.1*t), cm(3.6) - ring*math.sin(a) }, a
end
-- The fish is drawn with its nose along -z, as it swims at a = 0: turned by a about y.
local function behind(length, t)
  local p, a = swim(t)
  return { p[1] + length*math.sin(a), p[2], p[3] + length*math.cos(a) }
end

return scene {
  title   = tension and "A fish in a bowl" or "A fish in a bowl without tension",
  domain  = { size = { cm(7.2), cm(6.3), cm(7.2) }, cells = 64, sides = { top = "open" } },
  gravity = { 0, -9.81, 0 },
  liquids = {
    intersection { sphere { center = middle, radius = cm(3.15) }, halfspace { point = { 0, level, 0 }, normal = { 0, 1, 0 } },
                   material = tension and water or water { sigma = 0 } },
  },
  solids  = {
    union { difference { sphere { center = middle, radius = outer }, sphere { center = middle, radius = inner },
                         halfspace { point = { 0, cm(5.6), 0 }, normal = { 0, -1, 0 } } },
            cylinder { from = { cm(3.6), 0, cm(3.6) }, to = { cm(3.6), cm(0.4), cm(3.6) }, radius = cm(1.5) }, name = "glass bowl" },
    union { ellipsoid { center = { 0, 0, 0 }, radii = { cm(0.36), cm(0.5), cm(0.95) } },
            ellipsoid { center = { 0, cm(0.45), cm(0.1) }, radii = { cm(0.14), cm(0.35), cm(0.45) } }, name = "fish", look = "orange",
            position = function(t) return (swim(t)) end,
            rotation = function(t) local _, a = swim(t) return { 0, a, 0 } end },
    union { ellipsoid { center = { 0, 0, cm(0.35) }, radii = { cm(0.16), cm(0.26), cm(0.6) } },
            ellipsoid { center = { 0, 0, cm(0.9) }, radii = { cm(0.14), cm(0.5), cm(0.3) } }, name = "tail", look = "orange",
            position = function(t) return behind(cm(0.7), t) end,
            rotation = function(t) local _, a = swim(t) return { 0, a + 0.5*math.min(t/0.2, 1)*math.sin(turn*4*t), 0 } end },
  },
  frames  = { rate = 50, count = 60 },
}
