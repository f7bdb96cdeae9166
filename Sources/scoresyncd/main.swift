// Top-level closures would be isolated to the main actor, so a function does all the work.
Startup.run()
