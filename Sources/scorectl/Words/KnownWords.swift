/// Who knows what a word of a kind can be at this moment.
protocol KnownWords {
    /// What it can be, behind the other words of its command.
    func words(_ kind: WordKind, after words: [String]) -> [OfferedWord]
}
