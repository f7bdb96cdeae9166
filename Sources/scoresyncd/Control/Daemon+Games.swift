import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The calls about the games of this device.
extension Daemon {
    /// The games that this device can begin.
    var library: SheetLibrary { shelf.library }

    func routeGames(_ router: inout ControlRouter) {
        on(GameListRequest.self, &router) { daemon, _ in
            GameListReply(games: daemon.library.sheets.map { daemon.summary(of: $0) })
        }
        on(GameShowRequest.self, &router) { daemon, request throws(ControlError) in
            guard let name = request.game else {
                let session = try daemon.session(request.session)
                return try daemon.game(try daemon.sheet(of: daemon.document(session)))
            }
            return try daemon.game(try daemon.sheet(named: name))
        }
        onLater(GameAddRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.addGame(request.sheet, then: answer)
        }
        onLater(GameRemoveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.removeGame(request.game, then: answer)
        }
    }

    /// The game of this device that a text names.
    func sheet(named text: String) throws(ControlError) -> Sheet {
        do throws(SheetError) {
            return try library.sheet(named: text)
        } catch .unknownGame {
            let near = library.sheets.filter { $0.resembles(text) }
            guard near.count != 1 else { return near[0] }
            throw ControlError(
                .notFound,
                "there is no game “\(text)”; all are listed by: scorectl games",
                candidates: (near.isEmpty ? library.sheets : near).map(\.id.description)
            )
        } catch { throw ControlError(.notFound, "\(error)", candidates: error.candidates) }
    }

    /// What a new session says about its game: which one it is, and its sheet, so that every
    /// device plays by the same.
    func beginning(of sheet: Sheet) throws(ControlError) -> [Mutation] {
        [.game(sheet.id), .sheet(try canonicalText(of: sheet))]
    }

    private func summary(of sheet: Sheet) -> GameSummary {
        GameSummary(sheet, isOwn: shelf.own[sheet.id]?.sheet == sheet)
    }

    /// A game with its sheet, which is laid out as it was written where it was written here.
    private func game(_ sheet: Sheet) throws(ControlError) -> GameReply {
        var source: String?
        if library[sheet.id] == sheet {
            source = shelf.own[sheet.id]?.source ?? SheetLibrary.builtInSource(of: sheet.id)
        }
        let text = if let source { source } else { try canonicalText(of: sheet) }
        return GameReply(game: summary(of: sheet), sheet: text)
    }

    private func canonicalText(of sheet: Sheet) throws(ControlError) -> String {
        let text: String
        do { text = try sheet.json } catch { throw ControlError(.failed, "\(error)") }
        guard text.utf8.count <= Limits.sheetBytes else {
            throw ControlError(.failed, "\(SheetError.tooLong(text.utf8.count))")
        }
        return text
    }

    // MARK: Adding and removing

    private func addGame(
        _ text: String,
        then answer: @escaping @Sendable (Result<GameChangeReply, ControlError>) -> Void
    ) throws(ControlError) {
        let sheet: Sheet
        do throws(SheetError) {
            sheet = try Sheet(json: text)
        } catch { throw ControlError(.failed, "\(error)") }
        // It must also fit into a session, with everything that the user left to the defaults.
        _ = try canonicalText(of: sheet)
        let before = shelf.own[sheet.id]?.sheet
        guard before != sheet else {
            let reply = GameChangeReply(game: summary(of: sheet), before: sheet.version)
            return answer(.success(reply))
        }
        try checkPlace(for: sheet, instead: before)
        store.perform(
            { store throws(StoreError) in
                try store.keep(StoredSheet(id: sheet.id, text: text))
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                answer(
                    result.mapError { ControlError(.failed, "\($0)") }.map {
                        self.shelf.add(SheetShelf.OwnGame(sheet: sheet, source: text))
                        self.ended = [:]
                        self.gamesHaveChanged()
                        return GameChangeReply(
                            game: self.summary(of: sheet),
                            before: before?.version
                        )
                    }
                )
            }
        )
    }

    /// Refuses a game that would take the place of another one unnoticed.
    private func checkPlace(for sheet: Sheet, instead before: Sheet?) throws(ControlError) {
        guard let before else {
            guard SheetLibrary.builtIn[sheet.id] == nil else {
                throw ControlError(
                    .refused,
                    "“\(sheet.id)” comes with ScoreSync and stays as it is; give your game "
                        + "another id"
                )
            }
            guard shelf.own.count < SheetShelf.mostOwnGames else {
                throw ControlError(
                    .refused,
                    "this laptop has \(SheetShelf.mostOwnGames) games of yours, the most that it "
                        + "keeps; remove one with: scorectl games remove GAME"
                )
            }
            return
        }
        guard sheet.version != before.version else {
            throw ControlError(
                .refused,
                "another version \(before.version) of “\(sheet.id)” is here already; raise "
                    + "\"version\" in the file to \(before.version + 1)"
            )
        }
        guard sheet.version > before.version else {
            throw ControlError(
                .refused,
                "version \(before.version) of “\(sheet.id)” is here already, newer than "
                    + "\(sheet.version); to go back: scorectl games remove \(sheet.id)"
            )
        }
    }

    private func removeGame(
        _ name: String,
        then answer: @escaping @Sendable (Result<GameChangeReply, ControlError>) -> Void
    ) throws(ControlError) {
        // What cannot be read has no name but its id.
        if let id = Symbol(name), shelf.unreadable.contains(id) {
            let reply = GameChangeReply(game: GameSummary(unreadable: id))
            return remove(id, answering: reply, then: answer)
        }
        let sheet = try sheet(named: name)
        guard shelf.own[sheet.id] != nil else {
            throw ControlError(.refused, "“\(sheet.id)” comes with ScoreSync and stays")
        }
        let reply = GameChangeReply(game: summary(of: sheet), before: sheet.version)
        remove(sheet.id, answering: reply, then: answer)
    }

    private func remove(
        _ id: Symbol,
        answering reply: GameChangeReply,
        then answer: @escaping @Sendable (Result<GameChangeReply, ControlError>) -> Void
    ) {
        store.perform(
            { store throws(StoreError) in try store.removeSheet(id) },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                answer(
                    result.mapError { ControlError(.failed, "\($0)") }.map { _ in
                        self.shelf.remove(id)
                        self.ended = [:]
                        self.gamesHaveChanged()
                        return reply
                    }
                )
            }
        )
    }

    /// Derives everything anew: sessions of the first versions are played by the library.
    private func gamesHaveChanged() {
        documents = [:]
        for session in held.keys.sorted() { watchers.changed(session, .whole) }
    }
}

extension Sheet {
    /// Whether somebody may mean this game by a text that is no beginning of its names: `duel`, or
    /// `7wonders` without what stands between the words.
    fileprivate func resembles(_ text: String) -> Bool {
        let wanted = Sheet.core(of: text)
        return wanted.count > 1
            && (Sheet.core(of: name) + "\n" + Sheet.core(of: id.description))
                .contains(wanted)
    }

    private static func core(of text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension GameSummary {
    /// A sheet, as lists show it.
    init(_ sheet: Sheet, isOwn: Bool) {
        let most = sheet.players.to
        self.init(
            id: sheet.id.description,
            name: sheet.name,
            version: sheet.version,
            summary: sheet.summary,
            players: PlayerCount(
                from: sheet.players.from,
                to: most == Bounds.all.to ? nil : most
            ),
            own: isOwn
        )
    }
}

extension GameSummary {
    /// A game of the user's that cannot be read any more.
    fileprivate init(unreadable id: Symbol) {
        self.init(
            id: id.description,
            name: id.description,
            version: 0,
            summary: "",
            players: PlayerCount(from: 1),
            own: true
        )
    }
}

extension ControlError {
    /// A session cannot be played here, because of its sheet; its scores are kept all the same.
    init(_ error: SheetError, of document: SessionDocument) {
        let title = document.title.isEmpty ? "this session" : "“\(document.title)”"
        switch error {
        case .noGame:
            self.init(
                .notFound,
                "it is not known here yet which game \(title) is; it comes with the first link"
            )
        case .unknownGame(let game, _), .ambiguousGame(let game, _):
            self.init(
                .notFound,
                "\(title) is a game of “\(game)”, which this laptop does not have; update "
                    + "ScoreSync here, or add the game with: scorectl games add FILE"
            )
        case .unreadable, .tooLong:
            let sheet = SheetHead(document.sheet ?? "")
            guard let sheet, sheet.id == document.game?.description else {
                self.init(
                    .failed,
                    "the sheet that \(title) carries is broken: \(error); its scores are kept "
                        + "and synced all the same"
                )
                return
            }
            self.init(
                .versionMismatch,
                "\(title) was begun with a newer ScoreSync; update this laptop. Scores are "
                    + "kept and synced all the same (\(sheet.name ?? sheet.id), \(error))"
            )
        }
    }
}

/// What can be read of a sheet, whatever else a later version has put into it.
private struct SheetHead: Decodable {
    let id: String
    let name: String?

    /// The head of a sheet; nil of what is no sheet of any version.
    init?(_ json: String) {
        let head = try? ControlJSON.decode(SheetHead.self, from: json.utf8)
        guard let head else { return nil }
        self = head
    }
}
