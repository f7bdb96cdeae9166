import SessionCRDT

/// How a game is set whose first turn records that, and what is always so of it.
protocol TurnMode: Hashable, Sendable {
    /// What a cell of a turn says, once it is read.
    associatedtype Move: Hashable, Sendable

    /// The row that holds the turns.
    static var row: Symbol { get }

    /// What the game calls its turns and itself.
    static var words: TurnWords { get }

    /// The options that make a mode, which hold from the first turn on.
    static var options: [String] { get }

    /// The move that a value says; refused where it says none.
    static func move(of value: Value) throws(RuleViolation) -> Move

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings)

    /// The mode of what the options say, in their order; nil where they cannot say that.
    init?(values: [Substring])

    /// What the options say, in their order.
    var values: [String] { get }
}

extension TurnMode {
    /// The mode of a text; nil where it is not one, or is spelled otherwise.
    init?(text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map {
            Substring($0)
        }
        let values = zip(Self.options, words).compactMap { option, word in
            word.hasPrefix("\(option)=") ? word.dropFirst(option.utf8.count + 1) : nil
        }
        guard words.count == Self.options.count, values.count == words.count else { return nil }
        self.init(values: values)
        // Numbers can be spelled in several ways.
        guard self.text.map({ $0 == text }) == true else { return nil }
    }

    /// `start=501 out=double in=straight legs=3 sets=1`; nil where there are no options.
    var text: String? {
        guard !Self.options.isEmpty else { return nil }
        return zip(Self.options, values).map { "\($0)=\($1)" }.joined(separator: " ")
    }
}
