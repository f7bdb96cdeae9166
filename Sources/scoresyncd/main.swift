// A function does all the work, because top-level closures would be isolated to the main actor.
Startup.run()
