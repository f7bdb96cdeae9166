import ScoreSheets

/// A random session of any game with players and strangers: standings do not depend on the order of
/// arrival, accepted moves count, and nothing traps.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzBooks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var draws = Draws(Array(UnsafeBufferPointer(start: start, count: count)))
    var table = HostileTable(draws.pick(SheetLibrary.builtIn.sheets), &draws)
    table.run(&draws)
    return 0
}
