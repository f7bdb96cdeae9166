import CPlatform

/// Outside of the main actor, to which everything in this file would belong.
platform_exit(BenchProgram.run(Array(CommandLine.arguments.dropFirst())))
