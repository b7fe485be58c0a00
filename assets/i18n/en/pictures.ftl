# What all interactive pictures share, and their names in titles and hints.
pictures-name-banks = bank-conflict simulator
pictures-name-run = run
pictures-name-tile-walk = tile walk
pictures-name-cooperative-load = cooperative load
pictures-name-thread-map = thread map
pictures-name-coalescing = coalescing
pictures-name-roofline = roofline
pictures-name-hazard = hazard stepper
pictures-name-sweep = sweep
pictures-name-library = library
pictures-name-occupancy = occupancy and waves
pictures-name-register-tile = register tile
pictures-row = row
pictures-column = column
pictures-expression-names = of lane, tx, ty, k
pictures-expression-refused = Enter takes it once it is an access. Esc brings back what stood here.
pictures-no-access = no access
