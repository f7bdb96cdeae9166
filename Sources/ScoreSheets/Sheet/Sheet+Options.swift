package import SessionCRDT

extension Sheet {
    /// The options as they hold in a book, in the order of the sheet: what was chosen where that is
    /// allowed, else the default; `null` where an option is off.
    package func settings(of book: Book) -> [(option: SheetOption, value: Value)] {
        let settings = Settings(self, book)
        return options.map { ($0, settings.values[$0.name] ?? .null) }
    }
}
