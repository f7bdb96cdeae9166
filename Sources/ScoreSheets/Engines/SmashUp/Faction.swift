package import SessionCRDT

/// Half a deck of Smash Up: what players are dealt two of.
package struct Faction: Hashable, Sendable {
    /// What players type: `bear-cavalry`.
    package let id: Symbol
    /// What tables show: `Bear Cavalry`.
    package let name: String
    /// The option of the session that says whether it is dealt.
    package let option: Symbol

    /// A faction; nil where the id is too long for the name of an option.
    init?(id: Symbol, name: String) {
        guard let option = Symbol("faction.\(id)"), Field.option(option) != nil else { return nil }
        self.id = id
        self.name = name
        self.option = option
    }

    /// The id of a faction that is only called by its name: `Grimms' Tales` is `grimms-tales`.
    ///
    /// Nil of names without a letter a–z or a digit, which need an id of their own.
    static func id(of name: String) -> Symbol? {
        var words: [String] = [""]
        for character in name.lowercased() where character != "'" && character != "\u{2019}" {
            if ("a"..."z").contains(character) || ("0"..."9").contains(character) {
                words[words.count - 1].append(character)
            } else {
                words.append("")
            }
        }
        return Symbol(words.filter { !$0.isEmpty }.joined(separator: "-"))
    }
}
