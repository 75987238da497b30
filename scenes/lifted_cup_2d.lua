-- A cup of no thickness is lifted with its coffee and poured out, in two dimensions.
local function ease(t, from, to)
  local s = math.max(0, math.min(1, (t - from)/(to - from)))
  return s*s*(3 - 2*s)
end
return scene {
  title   = "A cup is lifted and poured out (2D)",
  domain  = { size = { cm(9), cm(8) }, cells = 90 },
  sheets  = {
    cup { from = { cm(3), cm(0.53) }, to = { cm(3), cm(3.5) }, radius = cm(1.52), name = "cup", look = "white",
          pivot = { cm(4.52), cm(3.5) },
          position = function(t) return { 0, cm(1.6)*ease(t, 0, 0.4) } end,
          rotation = function(t) return -degrees(75)*ease(t, 0.4, 1.1) end },
  },
  liquids = { box { low = { cm(1.48), cm(0.53) }, high = { cm(4.52), cm(2.55) }, material = water } },
  frames  = { rate = 50, count = 60 },
}
