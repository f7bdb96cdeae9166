import ScoreSheets

/// A sheet of a user or a peer: the parser and the check agree, an accepted one survives a round
/// trip, and a game with it keeps the laws.
func fuzzSheets(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let problems = SheetCheck.problems(in: text)
    for problem in problems {
        demand(problem.line > 0 && problem.column > 0, "a problem without a place")
        demand(!problem.description.isEmpty)
    }
    guard let sheet = try? Sheet(json: text) else {
        demand(!problems.isEmpty, "it is rejected without a reason")
        return
    }
    demand(problems.isEmpty, "it is accepted, and has a problem: \(problems[0])")
    guard let json = try? sheet.json else { fatalError("it cannot be written") }
    if json.utf8.count <= Sheet.maxBytes {
        demand((try? Sheet(json: json)) == sheet, "it differs after a round trip")
    }
    var draws = Draws(input.reversed())
    var table = HostileTable(sheet, &draws)
    table.run(&draws)
}
