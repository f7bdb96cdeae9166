import SyncTestKit

/// Somebody who writes sheets at random, each of them one that is read.
struct Stranger {
    var generator: SeededGenerator
    /// The rows that say no number.
    private var texts: Set<String> = []
    /// The rows of rounds.
    private var rounds: [String] = []

    /// The stranger of a seed.
    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private let options = """
        [{"name": "wins", "kind": "choice", "choices": ["lowest", "highest"], "default": "highest"},
         {"name": "big", "kind": "boolean", "default": false},
         {"name": "n", "kind": "integer"},
         {"name": "r2", "kind": "integer", "default": 3},
         {"name": "mode", "kind": "choice", "choices": ["a", "b"], "default": "a"}]
        """

    /// The JSON of a sheet.
    mutating func sheet() -> String {
        var rows = [
            #"{"id": "a", "label": "A", "kind": "number"}"#,
            #"{"id": "b", "label": "B", "kind": "number", "scores": false}"#,
            #"{"id": "c", "label": "C", "kind": "choice", "#
                + #""choices": [{"word": "a"}, {"word": "b", "points": \#(number())}]}"#,
            #"{"id": "o", "label": "O", "kind": "order", "words": ["a", "b"]}"#,
            #"{"id": "d", "label": "D", "kind": "rounds", "last": 3}"#,
        ]
        let count = 1 + below(8)
        (texts, rounds) = ([], [])
        for index in 0..<count { rows.append(row(index)) }
        let when = #"{"when": {"option": "mode", "is": ["b"]}, "is": "lowest", "else": "highest"}"#
        let wins = pick([
            #""lowest""#, #"{"option": "wins"}"#, #""highest""#, when,
            #"{"when": {"option": "big"}, "is": "lowest"}"#,
        ])
        let target = pick([
            "", #", "target": {"option": "n"}"#, #", "target": 50"#,
            #", "target": 5, "ends": "at-once""#, #", "target": 2, "counts": "down""#,
            #", "target": 0, "counts": "down", "ends": "at-once""#,
            #", "target": {"when": {"option": "big"}, "is": 7, "else": 40}"#,
        ])
        return """
            {"id": "s", "name": "S", "players": {"from": 1, "to": \(1 + below(4))},
             "seats": [{"when": {"option": "big"}, "to": 9}],
             "rows": [\(rows.joined(separator: ",\n"))], "options": \(options),
             "wins": \(wins), "tieBreakers": [{"row": "b"}, {"row": "r0"}]\(target)}
            """
    }

    /// The JSON of a sheet for a coded game, whose rows may not be those of the game.
    mutating func codedSheet() -> String {
        let games = [
            "ghost": ["letter": "moves"], "darts": ["visit": "moves"],
            "reversi": ["move": "moves"], "match": ["point": "moves"],
            "bowling": ["frame": "moves"], "rubber": ["deal": "moves"],
            "smashup": [
                "points": "rounds", "madness": "rounds", "turn": "moves", "deal": "text",
                "reveal": "text",
            ],
        ]
        let engine = pick(games.keys.sorted())
        var rows = (games[engine] ?? [:]).sorted { $0.key < $1.key }.map { id, kind in
            let bent = below(12) == 0 ? pick(["number", "text", "moves"]) : kind
            let range = bent == "rounds" ? #", "range": {"from": 0, "to": 99}"# : ""
            return #"{"id": "\#(id)", "label": "L", "kind": "\#(bent)"\#(range)}"#
        }
        if below(6) == 0 { rows.append(row(0)) }
        if below(6) == 0 { rows.append(#"{"id": "hand", "label": "H", "kind": "number"}"#) }
        let sets = #", "sets": [{"id": "a", "name": "A", "chosen": true, "factions": ["B", "C"]}]"#
        return """
            {"id": "s", "name": "S", "players": {"from": \(below(3)), "to": \(2 + below(9))},
             "engine": "\(engine)", "rows": [\(rows.joined(separator: ",\n"))],
             "options": \(options)\(engine == "smashup" ? sets : "")}
            """
    }

    private mutating func row(_ index: Int) -> String {
        let rounds = self.rounds.isEmpty ? "d" : pick(self.rounds)
        let above = ["a", "b", "c", "o", "d"] + (0..<index).map { "r\($0)" }
        let one = pick(above)
        let two = pick(above.filter { $0 != one })
        let rows = #"["\#(one)", "\#(two)"]"#
        let content = pick([
            #""kind": "number"\#(worth())"#,
            #""kind": "number", "empty": 0\#(worth())"#,
            #""kind": "number", "sole": true\#(worth())"#,
            #""kind": "rounds", "last": \#(1 + below(4))\#(worth())"#,
            #""kind": "number", "formula": "\#(formula(above + ["entered"]))""#,
            #""kind": "rounds", "formula": "\#(formula(above + ["entered", "round"]))""#,
            #""kind": "rounds", "running": "\#(running())""#,
            #""kind": "rounds", "checks": [{"formula": "total(r\#(index)) = n"}]"#,
            #""kind": "rounds", "checks": [{"formula": "mod(total(r\#(index)), round - 1) = 0"}]"#,
            #""kind": "formula", "formula": "highest(\#(rounds)) - lowest(\#(rounds))"\#(worth())"#,
            fields(index, above),
            #""kind": "formula", "formula": "\#(formula(above))"\#(worth())"#,
            #""kind": "formula", "formula": "count(\#(pick(["a", "b", "c"]))) * 3"\#(worth())"#,
            #""kind": "tokens", "tokens": [1, 5, -1]"#,
            #""kind": "flag", "points": \#(number())"#,
            #""kind": "flag", "wins": \#(below(4) == 0), "sole": \#(below(2) == 0)"#,
            #""kind": "flag", "wins": "lowest""#,
            #""kind": "formula", "formula": "\#(formula(above))", "#
                + #""wins": \#(pick(["true", #""highest""#, #""lowest""#]))"#,
            #""kind": "text""#,
            #""kind": "moves""#,
            #""kind": "sum", "of": \#(rows)\#(worth())"#,
            #""kind": "product", "of": \#(rows)\#(worth())"#,
            #""kind": "sets", "of": \#(rows), "wild": "b", "set": \#(number())"#,
            #""kind": "sets", "of": ["\#(one)"], "set": 7"#,
            #""kind": "drop", "of": ["a", "b"], "order": "o", "override": "c", "#
                + #""values": [\#(number()), {"complete": 9, "else": \#(number())}]"#,
        ])
        let condition = pick([
            "", "", #", "when": {"option": "big"}"#, #", "when": {"option": "mode", "is": ["b"]}"#,
            #", "when": {"option": "n"}"#,
        ])
        if content.contains("\"rounds\"") { self.rounds.append("r\(index)") }
        if content.contains("\"fields\"") { self.rounds.append("x\(index)") }
        if content.contains("\"text\"") || content.contains("\"moves\"") {
            texts.insert("r\(index)")
        }
        return #"{"id": "r\#(index)", "label": "R", "scores": \#(below(4) > 0), "#
            + content + condition + "}"
    }

    /// A row of rounds of several fields.
    private mutating func fields(_ index: Int, _ above: [String]) -> String {
        let own = ["x\(index)", "y\(index)"]
        let (x, y) = (own[0], own[1])
        let empty = below(2) == 0 ? #", "empty": 0"# : ""
        let second = pick([
            #""kind": "flag""#, #""range": {"from": 0}\#(empty)"#,
            #""kind": "choice", "choices": [{"word": "a"}, {"word": "b", "points": 2}]"#,
            #""kind": "choice", "choices": [{"word": "a"}, {"word": "b", "points": 2}], "#
                + #""empty": "b""#,
        ])
        let running = below(2) == 0 ? #", "running": "\#(self.running())""# : ""
        return #""kind": "rounds", "last": 9, "fields": [{"id": "\#(x)", "label": "X"}, "#
            + #"{"id": "\#(y)", "label": "Y", \#(second)}], "#
            + #""formula": "\#(formula(above + own + ["round"]))"\#(running), "#
            + #""checks": [{"formula": "total(\#(x)) = round"}, "#
            + #"{"formula": "\#(formula(above + own + ["round"]))", "each": true}]"#
    }

    private mutating func running() -> String {
        pick([
            "if(before + entered > 9, 2, before + entered)", "max(before, entered)",
            "before - entered", "before / entered + round",
        ])
    }

    /// A formula of these names.
    private mutating func formula(_ names: [String]) -> String {
        let numbers =
            names.filter { $0 != "o" && !isText($0) } + ["n", "big", "players"]
            + (isText("r2") ? [] : ["r2"])
        let rows = names.filter { $0 != "o" && $0 != "entered" && $0 != "round" && !isText($0) }
        let (one, two) = (pick(numbers), pick(numbers))
        let shared = pick(["total", "others", "team", "most", "least", "rank", "tied"])
        return pick([
            "\(one) * 2 - \(two)", "\(shared)(\(pick(rows)))",
            "if(\(one) = \(two), 5, \(one) / \(two))",
            "if(mode = 'b' and c = 'b', max(\(one), \(two)), min(\(one), 3))",
            "\(one) - \(shared)(\(pick(rows)))", "not \(one) > mod(\(two), 4)",
            "pick(\(one), \(two), 7, \(two) / \(one))",
        ])
    }

    /// Whether a row says no number.
    private func isText(_ name: String) -> Bool { texts.contains(name) }

    private mutating func worth() -> String {
        pick([
            "", "", #", "factor": \#(number())"#, #", "per": \#(1 + below(3))"#,
            #", "table": [-1, 2, \#(number())]"#,
            #", "places": [5, \#(number()), {"option": "n"}], "factor": 2"#,
            #", "places": [5, 2], "ties": "\#(pick(["each", "skip", "share"]))""#,
            #", "steps": [{"from": -1, "points": \#(number())}, {"from": 3, "points": 7}]"#,
        ])
    }

    private mutating func number() -> String {
        pick(["-1", "0", "3", "9007199254740991", "-9007199254740991", "-11"])
    }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}
