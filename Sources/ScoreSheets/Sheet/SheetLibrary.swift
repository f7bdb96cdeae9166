package import SessionCRDT

/// The sheets that a device can play by.
package struct SheetLibrary: Hashable, Sendable {
    /// The sheets by id.
    package let sheets: [Sheet]

    /// The sheets that every device has.
    package static let builtIn = SheetLibrary(BuiltInSheet.all.map(\.sheet))

    /// The library of these sheets; of two with the same id the later one stays.
    package init(_ sheets: [Sheet]) {
        var byID: [Symbol: Sheet] = [:]
        for sheet in sheets { byID[sheet.id] = sheet }
        self.sheets = byID.values.sorted { $0.id < $1.id }
    }

    /// This library and more sheets, which go before those of the same id.
    package func adding(_ more: [Sheet]) -> SheetLibrary { SheetLibrary(sheets + more) }

    /// The sheet with this id.
    package subscript(id: Symbol) -> Sheet? { sheets.first { $0.id == id } }

    /// The sheet that somebody means by a name, which may be shortened.
    package func sheet(named text: String) throws(SheetError) -> Sheet {
        switch Match(text, among: sheets, \.id.description, \.name) {
        case .one(let sheet): return sheet
        case .none: throw .unknownGame(text, candidates: sheets.map(\.id))
        case .many(let sheets): throw .ambiguousGame(text, candidates: sheets.map(\.id))
        }
    }

    /// The sheet that a session is played by.
    ///
    /// A sheet that travels in the session goes first, if it is the one of the game: all devices
    /// have it, whatever else is installed on them.
    package func sheet(of header: SessionHeader) throws(SheetError) -> Sheet {
        guard let game = header.game else { throw .noGame }
        if let json = header.sheet {
            let travelling = try Sheet(json: json)
            if travelling.id == game { return travelling }
        }
        guard let sheet = self[game] else {
            throw .unknownGame(game.description, candidates: sheets.map(\.id))
        }
        return sheet
    }
}

extension SheetLibrary {
    /// The sheet that a session is played by.
    package func sheet(of document: SessionDocument) throws(SheetError) -> Sheet {
        try sheet(of: document.header)
    }
}
