extension Sheet {
    /// Which total wins in a book, by its options.
    package func winRule(of book: Book) -> WinRule { Settings(self, book)(wins) }
}
