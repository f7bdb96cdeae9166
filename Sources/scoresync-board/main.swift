import CPlatform

/// Outside of the main actor, to which everything in this file would belong.
platform_exit(Startup.run(Array(CommandLine.arguments.dropFirst())))
