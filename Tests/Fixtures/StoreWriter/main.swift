// Runs commands from standard input on a store, and prints a line for each result. Tests kill it, or
// run it on a small or read-only disk.
//
//   run             writes batches until killed
//   write N         writes N batches; stops at the first failure
//   bulk N          the same with 64 KiB more in each batch
//   read            prints the number of batches in the store
//   leave           adds sessions and leaves each with its result, until killed
//   left            prints the number of results of left sessions
//   copy [PATH]     writes a backup, in the directory if no path is given
//   copies          writes backups there until killed
//   ballast BYTES   fills the directory with a file of that size
//   free            removes that file
//
// "done 7" means that batch 7 is committed; "holds 7" that batches 1 to 7 are stored completely.

Service.run(on: CommandLine.arguments.dropFirst().first ?? ".")
