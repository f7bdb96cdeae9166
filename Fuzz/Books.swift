import ScoreSheets

/// A session of any game with people and strangers in it, by draws: standings do not depend on the
/// order of arrival, what `play` takes counts, and nothing traps.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzBooks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var draws = Draws(Array(UnsafeBufferPointer(start: start, count: count)))
    var table = HostileTable(draws.pick(SheetLibrary.builtIn.sheets), &draws)
    table.run(&draws)
    return 0
}
