-- 001-S1, quick: two drops of tetradecane, R = 0.1706 mm, 0.243 m/s each, bounce.
return include("binary_1.lua", { title = "Two drops bounce, case I (quick)", cells = 80 })
