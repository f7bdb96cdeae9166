// A program that uses a store as it is told on standard input and says on standard output what the
// store said, a line each. Tests kill it, or run it where the disk is small or read-only.
//
//   run             writes batches for ever
//   write N         writes N batches; stops at the first failure
//   bulk N          the same with 64 KiB more in each batch
//   read            says how many batches the store holds
//   leave           adds sessions and leaves each with its result, for ever
//   left            says how many results of left sessions the store holds
//   copy [PATH]     writes a copy, in the directory if no path is given
//   copies          writes copies there for ever
//   ballast BYTES   fills the directory with a file of that size
//   free            removes that file
//
// "done 7" means that batch 7 is committed; "holds 7" that batches 1 to 7 are there and whole.

Service.run(on: CommandLine.arguments.dropFirst().first ?? ".")
