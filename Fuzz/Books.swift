import ScoreSheets

/// A random session of any game with players and unknown writers: standings do not depend on the
/// order of arrival, accepted moves count, and nothing traps.
func fuzzBooks(_ input: [UInt8]) {
    var draws = Draws(input)
    var table = HostileTable(draws.pick(SheetLibrary.builtIn.sheets), &draws)
    table.run(&draws)
}
