/// A row of the sheet that can be entered, and what it takes: of these a score pad is made.
package struct ShownPadRow: Codable, Hashable, Sendable {
    /// The row's id.
    package var row: String
    /// What to call it.
    package var label: String
    /// Its kind, as sheets have it: `number`, `rounds`, `tokens`, `flag`, `choice`, `order`,
    /// `text` or, of a match, `moves`.
    package var kind: String
    /// What it takes, in words: `a whole number from 0 to 20`.
    package var takes: String
    /// What to enter, in a sentence; may be empty.
    package var help: String
    /// The least number; left out where there is none.
    package var from: Int64?
    /// The last round; left out where the row has none.
    package var last: Int?
    /// The words to choose from or to put in order; left out where any other text is taken.
    package var words: [String]?
    /// What the tokens are worth, or how many points one entry of a match can bring where those can
    /// be several; left out of all else.
    package var tokens: [Int64]?
    /// The rounds of which it is a field; left out of a row of its own.
    package var group: String?
    /// Whether a round counts without this field; left out where it does not.
    package var optional: Bool?

    package init(
        row: String,
        label: String,
        kind: String,
        takes: String,
        help: String = "",
        from: Int64? = nil,
        last: Int? = nil,
        words: [String]? = nil,
        tokens: [Int64]? = nil,
        group: String? = nil,
        optional: Bool? = nil
    ) {
        self.optional = optional
        self.group = group
        self.row = row
        self.label = label
        self.kind = kind
        self.takes = takes
        self.help = help
        self.from = from
        self.last = last
        self.words = words
        self.tokens = tokens
    }
}
