-- The fishbowl of [cohen2004], cut through the middle: a fish swims to and fro under the surface and beats its tail.
-- With tension the surface is smooth and its small ripples run ahead and die; without (--set tension=false) it sloshes like a pool.
local tension = option("tension", true)

local turn = 2*math.pi
local middle, level, inner, outer = { cm(4), cm(3.7) }, cm(4.2), cm(3.2), cm(3.6)
local function swim(t)  -- place of the fish, which starts from rest
  return cm(4) - cm(1)*math.cos(turn*0.6*t), cm(3.1) + cm(0.2)*math.sin(turn*0.6*t)^2
end
local function beat(t) return 0.4*math.min(t/0.2, 1)*math.sin(turn*4*t) end

return scene {
  title   = tension and "A fish in a bowl (2D)" or "A fish in a bowl without tension (2D)",
  domain  = { size = { cm(8), cm(7) }, cells = 128, sides = { top = "open" } },
  gravity = { 0, -9.81 },
  liquids = {
    intersection { sphere { center = middle, radius = cm(3.3) }, halfspace { point = { 0, level }, normal = { 0, 1 } },
                   material = tension and water or water { sigma = 0 } },
  },
  solids  = {
    union { difference { sphere { center = middle, radius = outer }, sphere { center = middle, radius = inner },
                         halfspace { point = { 0, cm(6.2) }, normal = { 0, -1 } } },
            box { low = { cm(2.6), 0 }, high = { cm(5.4), cm(0.45) } }, name = "glass bowl" },
    union { ellipsoid { center = { 0, 0 }, radii = { cm(0.7), cm(0.32) } },
            ellipsoid { center = { -cm(0.1), cm(0.3) }, radii = { cm(0.3), cm(0.2) } }, name = "fish", look = "orange",
            position = function(t) local x, y = swim(t) return { x, y } end },
    union { ellipsoid { center = { -cm(0.3), 0 }, radii = { cm(0.45), cm(0.12) } },
            ellipsoid { center = { -cm(0.7), 0 }, radii = { cm(0.2), cm(0.17) } }, name = "tail", look = "orange",
            position = function(t) local x, y = swim(t) return { x - cm(0.5), y } end,
            rotation = beat },
  },
  frames  = { rate = 50, count = 60 },
}
