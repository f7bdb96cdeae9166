/// What somebody means by a name that may be shortened.
///
/// Case does not count. The whole id goes before the whole label, that before the beginning of
/// either; where several remain, nobody guesses. An accent counts only where it is typed: `jose` is
/// José where nobody is Jose, and `zo` could be either of Zoé and Zora.
package enum Match<Item> {
    /// Exactly this one.
    case one(Item)
    /// Nothing.
    case none
    /// Any of these, in their order.
    case many([Item])

    /// What `text` means among the items with these names; an empty text means nothing.
    package init(_ text: String, among items: [Item], _ names: ((Item) -> String)...) {
        self.init(text, among: items, aliases: { _ in [] }, names)
    }

    /// What `text` means among the items with these names; an alias counts only as a whole, and
    /// goes before all names but the first.
    package init(
        _ text: String,
        among items: [Item],
        aliases: @escaping (Item) -> [String],
        _ names: [(Item) -> String]
    ) {
        let wanted = text.lowercased()
        let folded = Alphabet.folded(wanted)
        // Each is asked only when all before it have found nothing, which is seldom.
        var ways: [(Item) -> Bool] = names.map { name in { name($0).lowercased() == wanted } }
        ways.insert({ aliases($0).contains(wanted) }, at: min(1, ways.count))
        ways += names.map { name in { Alphabet.folded(name($0)) == folded } }
        if wanted != folded {
            ways.append { item in names.contains { $0(item).lowercased().hasPrefix(wanted) } }
        }
        ways.append { item in names.contains { Alphabet.folded($0(item)).hasPrefix(folded) } }
        self = .none
        guard !wanted.isEmpty else { return }
        for isMeant in ways {
            let found = items.filter(isMeant)
            guard let first = found.first else { continue }
            self = found.count == 1 ? .one(first) : .many(found)
            return
        }
    }
}
