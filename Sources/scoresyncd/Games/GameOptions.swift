import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The options of games, chosen now or remembered on this device, and the word lists they name.
@EventLoop
final class GameOptions {
    private let lists = WordLists()
    private let settings: DeviceSettings
    private let queue: EventQueue

    init(_ settings: DeviceSettings, on queue: EventQueue) {
        (self.settings, self.queue) = (settings, queue)
    }

    /// Parses words `NAME=VALUE` into options of a sheet, without duplicates and sorted by name.
    func options(_ words: [String], of sheet: Sheet) throws(ControlError) -> [GameOption] {
        var options: [Symbol: Value] = [:]
        for word in words {
            guard word.utf8.contains(UInt8(ascii: "=")) else {
                throw .usage("\(word) has no value; for example: \(word)=VALUE, or \(word)=default")
            }
            let (name, value) = try byRules(ScoreParser(sheet).option(word))
            guard options.updateValue(value, forKey: name) == nil else {
                throw .usage("the option \(name) is given more than once")
            }
        }
        if let list = sheet.rules.wordList(of: Book(players: [], cells: [:], options: options)) {
            try byRules(WordFile.check(list))
        }
        let chosen = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        settings.rememberLists(in: chosen)
        return chosen
    }

    /// Parses typed values into options of a sheet; the keys are the names as typed.
    func options(_ typed: [String: String], of sheet: Sheet) throws(ControlError) -> [GameOption] {
        try options(typed.map { "\($0)=\($1)" }.sorted(), of: sheet)
    }

    /// Returns the remembered options of a sheet that are not among the chosen ones.
    func recalled(of sheet: Sheet, alongside chosen: [GameOption]) -> [GameOption] {
        let recalled = settings.memory.options(of: sheet, alongside: chosen).filter { option in
            !chosen.contains { $0.name == option.name }
        }
        settings.rememberLists(in: recalled)
        return recalled
    }

    /// Returns the options of a sheet that people choose, with the values that its next game has.
    func summaries(of sheet: Sheet) -> [OptionSummary] {
        let recalled = settings.memory.options(of: sheet)
        return sheet.options.filter { sheet.rules.isChoice($0.name) }.map { option in
            let value = recalled.first { $0.name == option.name }?.value
            return OptionSummary(option, value: value ?? option.kind.defaultValue)
        }
    }

    /// The resources of this device that rules may use to evaluate a move.
    var moveContext: MoveContext {
        MoveContext(random: SystemRandomNumberGenerator()) {
            [lists, settings] (name) throws(RuleViolation) in
            // A session can name any word list, but must not decide which files are read on this
            // device.
            guard !WordFile.isPath(name) || settings.memory.hasChosen(list: name) else {
                throw RuleViolation(
                    "this session uses the word list \(name), chosen on another laptop; to enter "
                        + "letters here, put a copy of it at that path",
                    hint: "then choose it with: scorectl session option list=\(name)"
                )
            }
            return try lists.wordList(name)
        }
    }

    /// Calls `body`, which may need a word list; if a list must be read first, calls it again.
    func withWordLists<Reply>(
        _ body: @EventLoop () throws(ControlError) -> Reply
    ) async throws(ControlError) -> Reply {
        lists.wanted = nil
        do throws(ControlError) { return try body() } catch {
            guard let file = lists.wanted else { throw error }
            lists.keep(await lists.read(file, on: queue), of: file)
            return try body()
        }
    }

    /// Returns warnings about a word list that was just chosen for a session, as sentences.
    func listNotes(of session: Session, chosen: [GameOption]) async -> [String] {
        let names = chosen.compactMap(\.value.string)
        guard !names.isEmpty else { return [] }
        let board = session.board
        let rules = (try? board.sheet.get())?.rules
        guard let name = rules?.wordList(of: board.book), names.contains(name) else { return [] }
        do throws(ControlError) {
            try await withWordLists { () throws(ControlError) in
                _ = try byRules(lists.wordList(name))
            }
            return []
        } catch {
            return [error.text + "; until that is fixed, no letters can be entered on this laptop"]
        }
    }
}

extension Mutation {
    static func options(_ options: [GameOption]) -> [Mutation] {
        // An option name that is too long for a field makes its sheet invalid.
        options.compactMap { name, value in
            Field.option(name).map { Mutation(.session($0), value) }
        }
    }

    /// Returns the mutations for scores and the options recorded with them, for one commit.
    ///
    /// A score also writes the player's membership, so that it wins over a concurrent removal of
    /// the player; clearing does not. The cells in `besides` keep their present values, as
    /// alternatives.
    static func scores(
        _ scores: [Score],
        recording options: [Symbol: Value] = [:],
        beside besides: Set<Cell> = []
    ) -> [Mutation] {
        let scored = Set(scores.filter { $0.value != .null }.map(\.cell.player)).sorted()
        let recorded = options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let cells = scores.map {
            Mutation(.cell($0.cell), $0.value, isAlternative: besides.contains($0.cell))
        }
        return cells + self.options(recorded)
            + scored.map { .membership(of: $0, isPresent: true) }
    }
}

/// A game option and its value; null means the default.
typealias GameOption = (name: Symbol, value: Value)

@EventLoop
struct OptionCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.options, with: choose)
    }

    private func choose(_ request: WordsParameters) async throws(ControlError) -> SessionOptionReply
    {
        let session = try sessions.session(request.session)
        guard !request.words.isEmpty else {
            return SessionOptionReply(options: try session.board.optionSummaries())
        }
        let input = try ScoreInput(session)
        let chosen = try gameOptions.options(request.words, of: input.sheet)
        // A value that is set already may be chosen again, even if options can no longer be
        // changed.
        let new = chosen.filter { input.book.options[$0.name] ?? .null != $0.value }
        for option in new { try byRules(input.game.check(option: option.name, in: input.book)) }
        if !new.isEmpty { try await writer.write(Mutation.options(new), to: session) }
        let present = input.sheet.options.map(\.name).map { name in
            (name: name, value: input.book.options[name] ?? .null)
        }
        settings.remember(chosen, of: input.sheet, in: present)
        let warnings = await gameOptions.listNotes(of: session, chosen: chosen)
        return SessionOptionReply(
            options: try session.board.optionSummaries(),
            notes: warnings.isEmpty ? nil : warnings
        )
    }
}

extension OptionSummary {
    fileprivate init(_ option: SheetOption, value: Value) {
        self.init(
            name: option.name.description,
            value: Scalar(value),
            default: Scalar(option.kind.defaultValue),
            takes: option.acceptedValues,
            help: option.help
        )
    }
}

extension Scoreboard {
    /// Returns the options of a session that users can choose, in the order of its sheet; options
    /// that moves record are left out.
    fileprivate func optionSummaries() throws(ControlError) -> [OptionSummary] {
        let sheet = try playedSheet()
        let choices = sheet.settings(of: book).filter { sheet.rules.isChoice($0.option.name) }
        return choices.map { option, value in OptionSummary(option, value: value) }
    }

    /// The options of a session that differ from their defaults; nil if its sheet cannot be read.
    var chosenOptions: [String: Scalar]? {
        guard let options = try? optionSummaries() else { return nil }
        let chosen = options.filter { $0.value != $0.default }
        return Dictionary(chosen.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
