-- A water strider, from an MJCF file, stands on the water on feet that do not get wet and rows with its middle legs: they push the
-- surface back, lift off, and come forward again.
local cells = option("cells", 60)      -- along 42 mm
local beat  = option("beat", 5)        -- Hz
local angle = option("angle", 150)     -- degrees, of its feet
local rest  = 0.06                     -- s until it begins
local function wave(t, of) return t < rest and 0 or of(2*math.pi*beat*(t - rest)) end
local function sweep(t) return degrees(22)*wave(t, math.sin) end
local function lift(t) return degrees(9)*wave(t, function(phase) return 0.5 - 0.5*math.cos(phase) - 0.6*math.sin(phase) end)
                              * math.min(1, math.max(0, (t - rest)*beat)) end
return scene {
  title   = "A water strider",
  domain  = { size = { mm(42, 14, 31.5) }, cells = cells, sides = { top = "open" } },
  liquids = { pool { depth = mm(5.6) } },
  bodies  = {
    mjcf = "water_strider.xml", unit_length = 1e-3, unit_mass = 1e-6, at = { mm(17, 9.9, 15.75) },
    contact_angle = degrees(angle), look = "black",
    drives = { ["front left"] = 0, ["front right"] = 0, ["hind left"] = 0, ["hind right"] = 0,
               ["sweep left"] = function(t) return sweep(t) end, ["sweep right"] = function(t) return -sweep(t) end,
               ["lift left"] = function(t) return lift(t) end, ["lift right"] = function(t) return -lift(t) end },
  },
  frames  = { rate = 120, count = 60 },
}
