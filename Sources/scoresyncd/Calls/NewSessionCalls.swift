import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The call that begins a session.
struct NewSessionCalls {
    let intake: SessionIntake
    let summaries: SessionSummaries
    let games: GameCatalog
    let options: GameOptions
    let notes: DeviceNotes
    let loop: EngineLoop
    let log: Log

    func register(on router: inout ControlRouter) {
        router.answerLater(SessionNewRequest.self, with: begin)
    }

    private func begin(
        _ request: SessionNewRequest,
        then answer: @escaping Answer<SessionReply>
    ) throws(ControlError) {
        let sheet = try games.sheet(named: request.game)
        let usual = "\(sheet.name) \(LocalTime.date(Int64(clamping: Clock.wallMilliseconds)))"
        let title = try Naming.name(request.title ?? usual, of: "a title")
        let chosen = try options.options(request.options, of: sheet)
        let recalled = request.fresh == true ? [] : options.recalled(of: sheet, beside: chosen)
        let typed = try Naming.newNames(request.players, beside: [])
        let selected = typed.isEmpty ? notes.roster.selected.map(\.name) : []
        let names = typed.isEmpty ? selected : typed
        let set = (chosen + recalled).map { ($0.name, $0.value) }
        let book = Book(players: [], cells: [:], options: Dictionary(uniqueKeysWithValues: set))
        try sheet.refuseCrowd(
            of: names.count,
            in: book,
            hint: selected.isEmpty
                ? nil
                : "See who is selected with 'scorectl people', or name who plays with --player."
        )
        let mutations =
            [.title(title), .finished(false)] + (try GameCatalog.beginning(of: sheet))
            + Mutation.options(chosen + recalled) + Mutation.players(names)
        let birth = try SessionBirth(mutations, by: loop.engine.device)
        let told =
            NewSessionCalls.notes(recalled: recalled, selected: selected)
            + (names.isEmpty ? [] : sheet.shortageNotes(of: names.count, in: book))
        intake.take(birth.record, greeting: title, beginning: birth.batch) { result in
            guard case .success(let session) = result else {
                return answer(result.map(summaries.reply))
            }
            notes.note(people: typed, or: log)
            notes.remember(chosen, of: sheet, forgettingOthers: request.fresh == true)
            let reply = summaries.reply(session)
            options.listNotes(of: session, chosen: chosen + recalled) { listNotes in
                let all = told + listNotes
                answer(
                    .success(SessionReply(session: reply.session, notes: all.isEmpty ? nil : all))
                )
            }
        }
    }

    /// What a user is told of a session that begins with what this device remembers.
    private static func notes(recalled: [GameOption], selected: [String]) -> [String] {
        var notes: [String] = []
        if !selected.isEmpty {
            let names = selected.joined(separator: ", ")
            notes.append("With the selected people: \(names) (see 'scorectl people').")
        }
        if !recalled.isEmpty {
            let options = recalled.map { "\($0.name)=\(Scalar($0.value))" }
                .joined(separator: ", ")
            notes.append("As last time: \(options) (the usual options with --fresh).")
        }
        return notes
    }
}

extension Mutation {
    /// New players of these names, in these seats.
    fileprivate static func players(_ names: [String]) -> [Mutation] {
        let players = names.map { (id: PlayerID.random(), name: $0) }
        return players.flatMap { Mutation.add($0.id, name: $0.name) }
            + (players.isEmpty ? [] : [.seats(players.map(\.id))])
    }
}

extension Sheet {
    /// What to know where fewer play than a game is for; those that are played move by move say so
    /// with the first move.
    fileprivate func shortageNotes(of count: Int, in book: Book) -> [String] {
        guard gameEngine == .rows, let violation = violation(ofShortage: count, in: book) else {
            return []
        }
        let sentence = "\(violation)"
        return [
            sentence.prefix(1).uppercased() + sentence.dropFirst()
                + ": scorectl player add NAME adds one."
        ]
    }

    /// Refuses more players than the game is for, with what may help.
    func refuseCrowd(of count: Int, in book: Book, hint: String?) throws(ControlError) {
        guard let violation = violation(ofCrowd: count, in: book) else { return }
        let hints = ways(toSeat: count) + [hint].compactMap(\.self)
        throw ControlError(.refused, (["\(violation)."] + hints).joined(separator: " "))
    }
}
