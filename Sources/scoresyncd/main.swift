// Closures written here would belong to the main actor, which nothing else does: call a function.
Startup.run()
