/// A word that a command takes, or the value of an option, as a program can know it.
struct CommandWord: Hashable, Sendable, Encodable {
    /// What help calls it.
    let name: String
    /// What it is.
    let kind: WordKind
    /// What it can be, where that is one of some words.
    let choices: [String]
    /// Whether it may be left out.
    let optional: Bool
    /// Whether any number of them may follow each other.
    let repeats: Bool

    /// The word that a part of a line of help stands for, such as `[PLAYER]` or `NAME...`; nil
    /// where that is no word of its own.
    init?(_ part: String, kinds: [String: WordKind] = [:]) {
        var name = part
        optional = name.hasPrefix("[")
        if optional { name.removeFirst() }
        if optional, let end = name.lastIndex(of: "]") { name.remove(at: end) }
        // The end of brackets that begin at a word before.
        if name.hasSuffix("]"), !name.contains("[") { name.removeLast() }
        while name.hasSuffix(",") { name.removeLast() }
        repeats = name.hasSuffix("...")
        if repeats { name.removeLast(3) }
        guard !name.isEmpty, !name.hasPrefix("-"), name != "|" else { return nil }
        self.name = name
        let isChoice = name.contains("|") || name.allSatisfy { $0.isLowercase || $0 == "-" }
        choices = isChoice ? name.split(separator: "|").map(String.init) : []
        kind = kinds[name] ?? (isChoice ? .choice : WordKind(placeholder: name) ?? .text)
    }

    /// The value of an option.
    init?(valueOf option: CommandOption) {
        guard let name = option.value else { return nil }
        self.name = name
        let isChoice = name.contains("|")
        choices = isChoice ? name.split(separator: "|").map(String.init) : option.choices
        let usual = WordKind(placeholder: name).map { $0 == .cell ? .row : $0 }
        kind = option.kind ?? (choices.isEmpty ? usual ?? .text : .choice)
        optional = false
        repeats = false
    }
}

extension Command {
    /// The words that the command takes, in order, as the line of help for them says.
    ///
    /// What follows an `or` in that line is another form of the same words.
    var takes: [CommandWord] {
        guard count.upperBound > 0 else { return [] }
        return words.split(separator: " ").prefix { $0 != "or" }
            .compactMap { CommandWord(String($0), kinds: kinds) }
    }

    /// What can be the word behind so many others.
    func takes(after count: Int) -> [CommandWord] {
        guard count < self.count.upperBound else { return [] }
        let all = takes
        // A word that may be left out, or has an end that is not told, lets the next one be there.
        func open(_ place: Int) -> Set<Int> {
            guard place < all.count else { return [] }
            return all[place].optional ? open(place + 1).union([place]) : [place]
        }
        var places = open(0)
        for _ in 0..<count {
            places = places.reduce(into: []) { next, place in
                next.formUnion(open(place + 1))
                if all[place].repeats { next.insert(place) }
            }
        }
        return places.sorted().map { all[$0] }
    }
}
