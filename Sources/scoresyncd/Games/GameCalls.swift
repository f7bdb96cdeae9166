import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

@EventLoop
struct GameCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.games) { _ in
            GameListReply(userSheets.library.sheets.map(userSheets.summary))
        }
        router.answer(.searchGames) { request in
            GameListReply(userSheets.search(request.words))
        }
        router.answer(.game) { request throws(ControlError) in
            let sheet =
                if let name = request.game { try userSheets.sheet(named: name) } else {
                    try sessions.session(request.session).board.playedSheet()
                }
            var reply = try userSheets.reply(sheet)
            reply.options = gameOptions.summaries(of: sheet)
            return reply
        }
        router.answer(.addGame, with: add)
        router.answer(.removeGame, with: remove)
    }

    private func add(_ request: SheetParameters) async throws(ControlError) -> GameChangeReply {
        let text = request.sheet
        let sheet: Sheet
        do throws(SheetError) { sheet = try Sheet(json: text) } catch {
            throw .failed("\(error)")
        }
        // The sheet must also fit into a session after all defaults are filled in.
        _ = try sheet.canonicalText()
        let before = userSheets.own[sheet.id]?.sheet
        if before != sheet {
            try checkID(of: sheet, replacing: before)
        }
        if before != sheet, request.check != true {
            try await storage.run { [id = sheet.id] store throws(StoreError) in
                try store.save(StoredSheet(id: id, text: text))
            }
            userSheets.add(UserGame(sheet: sheet, source: text))
            rebuildAllBoards()
        }
        return GameChangeReply(game: userSheets.summary(of: sheet), before: before?.version)
    }

    /// Throws if adding a game would silently replace a different one.
    private func checkID(of sheet: Sheet, replacing before: Sheet?) throws(ControlError) {
        guard let before else {
            guard !SheetLibrary.isBuiltIn(sheet.id) else {
                throw .refused(
                    "“\(sheet.id)” comes with ScoreSync and cannot be replaced; give your "
                        + "game another id"
                )
            }
            guard userSheets.own.count < UserSheets.maxOwnGames else {
                throw .refused(
                    "this laptop has \(UserSheets.maxOwnGames) games of yours, which is the maximum",
                    hint: "remove one with: scorectl games remove GAME"
                )
            }
            return
        }
        guard sheet.version != before.version else {
            throw .refused(
                "a different version \(before.version) of “\(sheet.id)” is already here; raise "
                    + "\"version\" in the file to \(before.version + 1)"
            )
        }
        guard sheet.version > before.version else {
            throw .refused(
                "version \(before.version) of “\(sheet.id)” is already here, newer than "
                    + "\(sheet.version)",
                hint: "to go back: scorectl games remove \(sheet.id)"
            )
        }
    }

    private func remove(_ request: GameConfirmation) async throws(ControlError) -> GameChangeReply {
        let id: Symbol
        var reply: GameChangeReply
        let question: String
        // The only known name of an unreadable sheet is its id.
        if let unreadable = Symbol(request.game), userSheets.unreadable.contains(unreadable) {
            id = unreadable
            let game = GameSummary(
                id: id.description,
                name: id.description,
                version: 0,
                summary: "",
                players: PlayerCount(from: 1)
            ).with { $0.own = true }
            reply = GameChangeReply(game: game)
            question = "Remove “\(id)”, which cannot be read? This laptop has no backup of it."
        } else {
            let sheet = try userSheets.sheet(named: request.game)
            guard userSheets.own[sheet.id] != nil else {
                throw .refused("“\(sheet.id)” comes with ScoreSync and cannot be removed")
            }
            id = sheet.id
            reply = GameChangeReply(game: userSheets.summary(of: sheet), before: sheet.version)
            question =
                "Remove “\(sheet.name)” (\(id), version \(sheet.version))? This laptop has no "
                + "backup of it; sessions of it go on."
        }
        reply.question = request.unanswered(Question(asking: question))
        guard reply.question == nil else { return reply }
        _ = try await storage.run { store throws(StoreError) in try store.removeSheet(id) }
        userSheets.remove(id)
        rebuildAllBoards()
        return reply
    }

    /// Discards all boards, because sessions of the first versions are played by the library's
    /// sheets.
    private func rebuildAllBoards() {
        for session in sessions.all {
            session.forgetBoard()
            watchers.changed(session.id, .whole)
        }
    }
}
