-- 001-S3, quick: three drops of tetradecane, R = 0.1706 mm, 0.5 m/s, meet at 120 degrees.
return include("trinary.lua", { title = "Three drops bounce (quick)", cells = 64, thick = 1 })
