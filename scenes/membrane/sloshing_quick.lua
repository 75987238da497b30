-- As sloshing.lua, with 32 cells.
return include("sloshing.lua", { title = "A tank is pushed (quick)", cells = 32 })
