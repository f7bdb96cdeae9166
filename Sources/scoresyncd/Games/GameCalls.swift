import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The calls about the games of this device.
@EventLoop
struct GameCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.games) { _ in GameListReply(games.summaries) }
        router.answer(.searchGames) { request in
            GameListReply(games.search(request.words))
        }
        router.answer(.game) { request throws(ControlError) in
            guard let name = request.game else {
                let session = try sessions.session(request.session)
                return try games.reply(try session.board.playedSheet())
            }
            return try games.reply(try games.sheet(named: name))
        }
        router.answer(.addGame, with: add)
        router.answer(.removeGame, with: remove)
    }

    private func add(_ request: SheetParameters) async throws(ControlError) -> GameChangeReply {
        let text = request.sheet
        let sheet: Sheet
        do throws(SheetError) {
            sheet = try Sheet(json: text)
        } catch { throw ControlError(.failed, "\(error)") }
        // It must also fit into a session, with everything that the user left to the defaults.
        _ = try GameCatalog.canonicalText(of: sheet)
        let before = userSheets.own[sheet.id]?.sheet
        guard before != sheet else {
            return GameChangeReply(game: games.summary(of: sheet), before: sheet.version)
        }
        try checkPlace(for: sheet, instead: before)
        try await storage.run { [id = sheet.id] store throws(StoreError) in
            try store.save(StoredSheet(id: id, text: text))
        }
        userSheets.add(UserGame(sheet: sheet, source: text))
        gamesHaveChanged()
        return GameChangeReply(game: games.summary(of: sheet), before: before?.version)
    }

    /// Refuses a game that would take the place of another one unnoticed.
    private func checkPlace(for sheet: Sheet, instead before: Sheet?) throws(ControlError) {
        guard let before else {
            guard !SheetLibrary.isBuiltIn(sheet.id) else {
                throw ControlError(
                    .refused,
                    "“\(sheet.id)” comes with ScoreSync and stays as it is; give your game "
                        + "another id"
                )
            }
            guard userSheets.own.count < UserSheets.mostOwnGames else {
                throw ControlError(
                    .refused,
                    "this laptop has \(UserSheets.mostOwnGames) games of yours, the most that it "
                        + "keeps",
                    hint: "remove one with: scorectl games remove GAME"
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
                    + "\(sheet.version)",
                hint: "to go back: scorectl games remove \(sheet.id)"
            )
        }
    }

    private func remove(_ request: GameConfirmation) async throws(ControlError) -> GameChangeReply {
        let id: Symbol
        var reply: GameChangeReply
        let question: String
        // A sheet that cannot be read has no name but its id.
        if let unreadable = Symbol(request.game), userSheets.unreadable.contains(unreadable) {
            id = unreadable
            reply = GameChangeReply(game: GameSummary(unreadable: id))
            question = "Remove “\(id)”, which cannot be read? This laptop keeps no copy of it."
        } else {
            let sheet = try games.sheet(named: request.game)
            guard userSheets.own[sheet.id] != nil else {
                throw ControlError(.refused, "“\(sheet.id)” comes with ScoreSync and stays")
            }
            id = sheet.id
            reply = GameChangeReply(game: games.summary(of: sheet), before: sheet.version)
            question =
                "Remove “\(sheet.name)” (\(id), version \(sheet.version))? This laptop keeps no copy "
                + "of it; sessions of it go on."
        }
        reply.question = request.unanswered(Question(asking: question))
        guard reply.question == nil else { return reply }
        _ = try await storage.run { store throws(StoreError) in try store.removeSheet(id) }
        userSheets.remove(id)
        gamesHaveChanged()
        return reply
    }

    /// Derives everything again: sessions of the first versions are played by the library.
    private func gamesHaveChanged() {
        for session in sessions.all {
            session.forgetBoard()
            watchers.changed(session.id, .whole)
        }
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
            players: PlayerCount(from: 1)
        )
        self.own = true
    }
}
