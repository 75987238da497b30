-- A cup of no thickness is lifted with its coffee and poured out.
local N = option("N", 54)
local function ease(t, from, to)
  local s = math.max(0, math.min(1, (t - from)/(to - from)))
  return s*s*(3 - 2*s)
end
return scene {
  title   = "A cup is lifted and poured out",
  domain  = { size = { cm(9), cm(7.5), cm(6) }, cells = N },
  sheets  = {
    cup { from = { cm(3, 0.53, 3) }, to = { cm(3, 3.5, 3) }, radius = cm(1.52), name = "cup", look = "white",
          pivot = { cm(4.52, 3.5, 3) },
          position = function(t) return { 0, cm(1.6)*ease(t, 0, 0.4), 0 } end,
          rotation = function(t) return { 0, 0, -degrees(75)*ease(t, 0.4, 1.1) } end },
  },
  liquids = { cylinder { from = { cm(3, 0.53, 3) }, to = { cm(3, 2.55, 3) }, radius = cm(1.52), material = water } },
  frames  = { rate = 50, count = 60 },
}
