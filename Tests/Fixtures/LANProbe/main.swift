Probe.run(Array(CommandLine.arguments.dropFirst()))
