-- 001-S7, quick: a quarter of a box of 80 mm (128 cells, R = 16 dx), about 3 minutes of one processor for 0.15 s. The small drop comes off at
-- 0.055 s. With R = 8 dx (`--set cells=64`) the waves that raise the column are too short for the grid, and nothing comes off.
return include("pinch.lua", { title = "Merging and pinching (quick)", cells = 128, quarter = true, width = 80, frames = 30 })
