runProbe(Array(CommandLine.arguments.dropFirst()))
