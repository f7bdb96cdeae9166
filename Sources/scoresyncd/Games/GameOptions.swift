import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The options of games as they are chosen and remembered on this device, with the word lists that
/// some of them name: owns which lists were read.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class GameOptions: @unchecked Sendable {
    private let lists = WordLists()
    private let notes: DeviceNotes
    private let queue: EventQueue

    init(_ notes: DeviceNotes, on queue: EventQueue) {
        self.notes = notes
        self.queue = queue
    }

    // MARK: What is chosen

    /// The options that words `NAME=VALUE` mean for a sheet, each once, by name.
    func options(_ words: [String], of sheet: Sheet) throws(ControlError) -> [GameOption] {
        var options: [Symbol: Value] = [:]
        for word in words {
            guard word.utf8.contains(UInt8(ascii: "=")) else {
                throw ControlError(
                    .usage,
                    "say what to set it to: \(word)=VALUE, or \(word)=default"
                )
            }
            let (name, value) = try option(word, of: sheet)
            guard options.updateValue(value, forKey: name) == nil else {
                throw ControlError(.usage, "the option \(name) is there twice")
            }
        }
        if let ghost = sheet.rules as? GhostRules {
            let book = Book(players: [], cells: [:], options: options)
            do throws(RuleViolation) { try WordSource.check(ghost.wordList(of: book)) } catch {
                throw ControlError(error)
            }
        }
        let chosen = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        notes.noteLists(in: chosen)
        return chosen
    }

    /// The option that a word means, which must be one that people choose.
    private func option(_ word: String, of sheet: Sheet) throws(ControlError) -> GameOption {
        do throws(RuleViolation) {
            return try ScoreParser(sheet).option(word)
        } catch { throw ControlError(error) }
    }

    /// The options that texts mean for a sheet, by what their names were typed as.
    func options(_ typed: [String: String], of sheet: Sheet) throws(ControlError) -> [GameOption] {
        try options(typed.map { "\($0)=\($1)" }.sorted(), of: sheet)
    }

    /// What was chosen for the game last time and is not chosen now.
    func recalled(of sheet: Sheet, beside chosen: [GameOption]) -> [GameOption] {
        let recalled = notes.memory.options(of: sheet, beside: chosen).filter { option in
            !chosen.contains { $0.name == option.name }
        }
        notes.noteLists(in: recalled)
        return recalled
    }

    // MARK: Word lists

    /// What this device lends to the rules while a move is entered on it.
    var aids: MoveContext {
        MoveContext(random: SystemRandomNumberGenerator()) {
            [lists, notes] (name) throws(RuleViolation) in
            // The others choose by which list of their own they play, but not what is read here.
            guard !WordSource.isPath(name) || notes.memory.hasChosen(list: name) else {
                throw RuleViolation(
                    "this session uses the word list \(name), chosen on another laptop; to enter "
                        + "letters here, have a copy of it at that path",
                    hint: "then choose it with: scorectl session option list=\(name)"
                )
            }
            return try lists.wordList(name)
        }
    }

    /// Does what may need a word list; where one has to be read first, then once it is.
    func withWordLists<Reply>(
        then answer: @escaping Answer<Reply>,
        _ body: @escaping @Sendable () throws(ControlError) -> Void
    ) throws(ControlError) {
        lists.wanted = nil
        do throws(ControlError) { try body() } catch {
            guard let file = lists.wanted else { throw error }
            lists.read(file, on: queue) { [self] list in
                lists.keep(list, of: file)
                do throws(ControlError) { try body() } catch { answer(.failure(error)) }
            }
        }
    }

    /// What is wrong on this device with the word list that was just chosen for a session, in
    /// sentences.
    ///
    /// Nothing where it was not chosen just now. The list is read beside everything else.
    func listNotes(
        of session: Session,
        chosen: [GameOption],
        then tell: @escaping @Sendable ([String]) -> Void
    ) {
        let names = chosen.compactMap(\.value.string)
        guard !names.isEmpty else { return tell([]) }
        let board = session.board
        let rules = (try? board.sheet.get())?.rules as? GhostRules
        guard let name = rules?.wordList(of: board.book), names.contains(name) else {
            return tell([])
        }
        let answer: Answer<Void> = { result in
            guard case .failure(let error) = result else { return tell([]) }
            let text = "; until that is mended no letter can be entered on this laptop"
            tell([error.message + text])
        }
        do throws(ControlError) {
            try withWordLists(then: answer) { [self] () throws(ControlError) in
                do throws(RuleViolation) { _ = try lists.wordList(name) } catch {
                    throw ControlError(error)
                }
                answer(.success(()))
            }
        } catch { answer(.failure(error)) }
    }
}

extension Mutation {
    /// The options as a session holds them.
    static func options(_ options: [GameOption]) -> [Mutation] {
        // A sheet with a name that is too long for a field is refused when it is read.
        options.compactMap { name, value in
            Field.option(name).map { Mutation(.session($0), value) }
        }
    }

    /// Scores of one player or several and options that are recorded with them, in one commit.
    ///
    /// A score that is entered while somebody else removes the player keeps the player in; clearing
    /// says nothing about that.
    static func scores(_ scores: [Score], recording options: [Symbol: Value] = [:]) -> [Mutation] {
        let scored = Set(scores.filter { $0.value != .null }.map(\.cell.player)).sorted()
        let recorded = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return scores.map { Mutation(.cell($0.cell), $0.value) } + self.options(recorded)
            + scored.map { .membership(of: $0, isPresent: true) }
    }
}

/// An option of a game with the value that somebody chose; null is the usual one.
typealias GameOption = (name: Symbol, value: Value)

/// The call about the options of a session's game.
struct OptionCalls {
    let sessions: SessionCatalog
    let options: GameOptions
    let notes: DeviceNotes
    let writer: SessionWriter

    func register(on router: inout ControlRouter) {
        router.answerLater(.options, with: choose)
    }

    private func choose(
        _ request: WordsParameters,
        then answer: @escaping Answer<SessionOptionReply>
    ) throws(ControlError) {
        let session = try sessions.session(request.session)
        guard !request.words.isEmpty else {
            let summaries = try session.board.optionSummaries()
            return answer(.success(SessionOptionReply(options: summaries)))
        }
        let desk = try WritingDesk(session)
        let chosen = try options.options(request.words, of: desk.sheet)
        // What is so already stays so, and may be said also when nothing can be changed.
        let new = chosen.filter { desk.book.options[$0.name] ?? .null != $0.value }
        for option in new {
            do throws(RuleViolation) {
                try desk.game.check(option: option.name, in: desk.book)
            } catch { throw ControlError(error) }
        }
        guard !new.isEmpty else { return remember(chosen, at: desk, then: answer) }
        writer.write(Mutation.options(new), to: session) { result in
            if case .failure(let error) = result { return answer(.failure(error)) }
            remember(chosen, at: desk, then: answer)
        }
    }

    /// Answers with the options of a session once some were chosen, and what is wrong with them.
    private func remember(
        _ chosen: [GameOption],
        at desk: WritingDesk,
        then answer: @escaping Answer<SessionOptionReply>
    ) {
        let present = desk.sheet.options.map(\.name).map { name in
            (name: name, value: desk.book.options[name] ?? .null)
        }
        notes.remember(chosen, of: desk.sheet, in: present)
        options.listNotes(of: desk.session, chosen: chosen) { [session = desk.session] notes in
            do throws(ControlError) {
                let summaries = try session.board.optionSummaries()
                let told = notes.isEmpty ? nil : notes
                answer(.success(SessionOptionReply(options: summaries, notes: told)))
            } catch { answer(.failure(error)) }
        }
    }
}

extension Scoreboard {
    /// The options of a session that somebody can choose, in the order of its sheet; what moves
    /// have recorded is no choice.
    fileprivate func optionSummaries() throws(ControlError) -> [OptionSummary] {
        let sheet = try playedSheet()
        let rules = sheet.rules
        let choices = sheet.settings(of: book).filter { rules.isChoice($0.option.name) }
        return choices.map { option, value in
            OptionSummary(
                name: option.name.description,
                value: Scalar(value),
                default: Scalar(option.kind.defaultValue),
                takes: option.takes,
                help: option.help
            )
        }
    }

    /// The options of a session that differ from their defaults; nil where its sheet cannot be
    /// read.
    var chosenOptions: [String: Scalar]? {
        guard let options = try? optionSummaries() else { return nil }
        let chosen = options.filter { $0.value != $0.default }
        return Dictionary(chosen.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
