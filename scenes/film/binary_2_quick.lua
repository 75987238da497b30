-- 001-S2, quick: two drops of tetradecane, R = 0.1676 mm, 0.496 m/s each, bounce.
return include("binary_1.lua", { title = "Two drops bounce, case II (quick)", cells = 80, radius = 0.1676, speed = 0.496 })
