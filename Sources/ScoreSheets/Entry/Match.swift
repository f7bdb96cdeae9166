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
        aliases: (Item) -> [String],
        _ names: [(Item) -> String]
    ) {
        self = .none
        let wanted = text.lowercased()
        guard !wanted.isEmpty else { return }
        var exact = names.map { name in items.filter { name($0).lowercased() == wanted } }
        exact.insert(items.filter { aliases($0).contains(wanted) }, at: min(1, exact.count))
        let folded = Alphabet.folded(wanted)
        let whole = names.map { name in items.filter { Alphabet.folded(name($0)) == folded } }
        let begun = items.filter { item in
            wanted != folded && names.contains { $0(item).lowercased().hasPrefix(wanted) }
        }
        let begunFolded = items.filter { item in
            names.contains { Alphabet.folded($0(item)).hasPrefix(folded) }
        }
        let ways = exact + whole + [begun, begunFolded]
        guard let found = ways.first(where: { !$0.isEmpty }) else { return }
        self = found.count == 1 ? .one(found[0]) : .many(found)
    }
}
