import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncProtocol

/// The calls about the games of this device.
struct GameCalls {
    let sessions: SessionCatalog
    let games: GameCatalog
    let shelf: SheetShelf
    let disk: Disk
    let watchers: Watchers

    func register(on router: inout ControlRouter) {
        router.answer(.games) { _ in GameListReply(games: games.summaries) }
        router.answer(.searchGames) { request in
            GameListReply(games: games.search(request.words))
        }
        router.answer(.game) { request throws(ControlError) in
            guard let name = request.game else {
                let session = try sessions.session(request.session)
                return try games.reply(try session.board.playedSheet())
            }
            return try games.reply(try games.sheet(named: name))
        }
        router.answerLater(.addGame, with: add)
        router.answerLater(.removeGame, with: remove)
    }

    private func add(
        _ request: SheetParameters,
        then answer: @escaping Answer<GameChangeReply>
    ) throws(ControlError) {
        let text = request.sheet
        let sheet: Sheet
        do throws(SheetError) {
            sheet = try Sheet(json: text)
        } catch { throw ControlError(.failed, "\(error)") }
        // It must also fit into a session, with everything that the user left to the defaults.
        _ = try GameCatalog.canonicalText(of: sheet)
        let before = shelf.own[sheet.id]?.sheet
        guard before != sheet else {
            let reply = GameChangeReply(game: games.summary(of: sheet), before: sheet.version)
            return answer(.success(reply))
        }
        try checkPlace(for: sheet, instead: before)
        disk.ask { store throws(StoreError) in
            try store.save(StoredSheet(id: sheet.id, text: text))
        } then: { result in
            answer(
                result.map {
                    shelf.add(OwnGame(sheet: sheet, source: text))
                    gamesHaveChanged()
                    return GameChangeReply(game: games.summary(of: sheet), before: before?.version)
                }
            )
        }
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

    private func remove(
        _ request: GameConfirmation,
        then answer: @escaping Answer<GameChangeReply>
    ) throws(ControlError) {
        // What cannot be read has no name but its id.
        if let id = Symbol(request.game), shelf.unreadable.contains(id) {
            let reply = GameChangeReply(game: GameSummary(unreadable: id))
            let question = Question(
                asking: "Remove “\(id)”, which cannot be read? This laptop keeps no copy of it."
            )
            if let asked = reply.asking(request.unanswered(question)) {
                return answer(.success(asked))
            }
            return remove(id, answering: reply, then: answer)
        }
        let sheet = try games.sheet(named: request.game)
        guard shelf.own[sheet.id] != nil else {
            throw ControlError(.refused, "“\(sheet.id)” comes with ScoreSync and stays")
        }
        let reply = GameChangeReply(game: games.summary(of: sheet), before: sheet.version)
        let question = Question(
            asking: "Remove “\(sheet.name)” (\(sheet.id), version \(sheet.version))? This laptop"
                + " keeps no copy of it; sessions of it go on."
        )
        if let asked = reply.asking(request.unanswered(question)) {
            return answer(.success(asked))
        }
        remove(sheet.id, answering: reply, then: answer)
    }

    private func remove(
        _ id: Symbol,
        answering reply: GameChangeReply,
        then answer: @escaping Answer<GameChangeReply>
    ) {
        disk.ask { store throws(StoreError) in
            try store.removeSheet(id)
        } then: { result in
            answer(
                result.map { _ in
                    shelf.remove(id)
                    gamesHaveChanged()
                    return reply
                }
            )
        }
    }

    /// Derives everything anew: sessions of the first versions are played by the library.
    private func gamesHaveChanged() {
        for session in sessions.all {
            session.forgetBoard()
            watchers.changed(session.id, .whole)
        }
    }
}

extension GameChangeReply {
    /// The reply that asks; nil where nothing is left to ask.
    fileprivate func asking(_ question: Question?) -> GameChangeReply? {
        guard question != nil else { return nil }
        var reply = self
        reply.question = question
        return reply
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
