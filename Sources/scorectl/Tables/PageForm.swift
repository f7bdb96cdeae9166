/// The form of the page that is drawn on.
struct PageForm: Hashable, Sendable {
    /// The columns of the terminal, at least as many as any page needs.
    let columns: Int
    /// Whether it can show more than ASCII.
    let isUnicode: Bool

    /// A page of so many columns.
    init(columns: Int, isUnicode: Bool = true) {
        self.columns = max(20, columns)
        self.isUnicode = isUnicode
    }
}
