-- 001-S2: two drops of tetradecane, R = 0.1676 mm, 0.496 m/s each, bounce. Full size of the paper: 256 x 128 x 128 cells.
return include("binary_1.lua", { title = "Two drops bounce, case II", cells = 256, radius = 0.1676, speed = 0.496 })
