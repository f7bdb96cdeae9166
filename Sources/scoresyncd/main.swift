// Closures written here would belong to the main actor and die on a Dispatch queue: call a
// function.
Startup.run()
