import CPlatform
import ControlSocket
import ScoreSheets
import SyncProtocol

/// Completes a command line by commands, their options, and the candidates of a source.
///
/// The live terminal and all shells use it.
struct Completion {
    let commands: [Command]
    var global: [CommandOption] = []
    let source: any CandidateSource

    struct Result {
        var candidates: [Candidate] = []
        /// The kind of a path, `file` or `directory`, which the shell completes itself.
        var path: ArgumentKind?
    }

    /// Returns the completions of a partial word that follows complete ones.
    func result(after words: [String], beginning partial: String) -> Result {
        let context = CompletionContext(after: words, in: commands, global: global)
        if let option = context.openOption { return values(of: option, context) }
        if partial.hasPrefix("-"), !context.isPastOptions {
            if let end = partial.firstIndex(of: "="), let option = context.option(partial[..<end]) {
                var result = values(of: option, context)
                result.candidates = result.candidates.map {
                    Candidate(text: "\(partial[..<end])=\($0.text)", summary: $0.summary)
                }
                return result
            }
            return Result(
                candidates: context.unusedOptions.map {
                    Candidate(text: "--" + $0.name, summary: $0.summary)
                }
            )
        }
        if !context.subcommands.isEmpty {
            // An unknown command has no known options.
            let isKnown = context.words.isEmpty
            return Result(candidates: isKnown ? Self.candidates(context.subcommands) : [])
        }
        return values(of: context.command?.arguments(after: context.words.count) ?? [], context)
    }

    private func values(of option: CommandOption, _ context: CompletionContext) -> Result {
        values(of: [CommandArgument(valueOf: option)].compactMap(\.self), context)
    }

    private func values(of arguments: [CommandArgument], _ context: CompletionContext) -> Result {
        var result = Result()
        for argument in arguments {
            switch argument.kind {
            case .file, .directory: result.path = argument.kind
            case .choice: result.candidates += argument.choices.map { Candidate(text: $0) }
            case .command:
                let inner = CompletionContext(after: context.words, in: commands, global: [])
                if inner.words.isEmpty { result.candidates += Self.candidates(inner.subcommands) }
            default: result.candidates += source.candidates(argument.kind, after: context.words)
            }
        }
        return result
    }

    private static func candidates(_ commands: [Command]) -> [Candidate] {
        commands.map { Candidate(text: $0.name, summary: $0.summary) }
    }
}

/// A possible word at the end of a command line.
struct Candidate: Hashable, Sendable {
    let text: String
    /// A description in a few words; empty if the word needs none.
    var summary = ""

    /// Whether more must be typed after the word, so that no space is added.
    var isOpen: Bool { text.hasSuffix("=") }

    /// Whether the word is safe to print: names from other laptops may contain control characters.
    var isPrintable: Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !PrintableText.isDangerous($0)
            }
    }
}

/// The state at the end of a partial command line: the command, its words and options.
///
/// Unlike ``ParsedArguments`` it accepts any input, because it may become valid.
struct CompletionContext {
    private(set) var command: Command?
    /// The commands that can be named next.
    private(set) var subcommands: [Command]
    private(set) var words: [String] = []
    private(set) var options: [String: [String]] = [:]
    /// The option whose value comes next.
    private(set) var openOption: CommandOption?
    /// Whether `--` has ended the options.
    private(set) var isPastOptions = false

    private let global: [CommandOption]
    private let all: [String: CommandOption]

    init(after typed: [String], in commands: [Command], global: [CommandOption]) {
        subcommands = commands
        self.global = global
        all = CommandOption.all(in: commands)
            .merging(global.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for word in typed { add(word) }
    }

    private var known: [CommandOption] { (command?.options ?? []) + global }

    var unusedOptions: [CommandOption] { known.filter { $0.repeats || options[$0.name] == nil } }

    func option(_ dashed: some StringProtocol) -> CommandOption? {
        let name = dashed.drop { $0 == "-" }
        return known.first { $0.name == name } ?? all[String(name)]
    }

    private mutating func add(_ word: String) {
        if let option = openOption {
            openOption = nil
            return options[option.name, default: []].append(word)
        }
        if !isPastOptions, word == "--" {
            isPastOptions = true
        } else if !isPastOptions, word.hasPrefix("--") {
            let halves = word.split(separator: "=", maxSplits: 1)
            guard let name = halves.first, let option = option(name) else { return }
            if halves.count > 1 {
                options[option.name, default: []].append(String(halves[1]))
            } else if option.value == nil {
                options[option.name, default: []].append("")
            } else {
                openOption = option
            }
        } else if let found = subcommands.first(where: { $0.name == word }) {
            command = found
            subcommands = found.subcommands
        } else {
            words.append(word)
        }
    }
}

protocol CandidateSource {
    /// Returns the current candidates of a kind, given the earlier words of the command.
    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate]
}

/// Candidates from the daemon, if it answers at once: completion must not block or start anything.
final class DaemonCandidates: CandidateSource {
    /// The time limit of all requests of one completion.
    static let milliseconds: Int64 = 200
    /// The maximum number of candidates of a kind.
    private static let maxCandidates = 1_000

    private let paths: ControlPaths?
    private let session: String?
    private let deadline = platform_steady_milliseconds() + milliseconds
    private lazy var client: ControlClient? = connected()
    private lazy var show: ShowReply? = answer(to: .show, .init(session: session))

    init(_ paths: ControlPaths?, session: String?) { (self.paths, self.session) = (paths, session) }

    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        Array(all(kind, after: words).prefix(Self.maxCandidates))
    }

    private func all(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        switch kind {
        case .session: return sessions
        case .game:
            let games = answer(to: .games)?.items ?? []
            return games.map { Candidate(text: $0.id, summary: $0.name) }
        case .person:
            let people = answer(to: .people)?.items ?? []
            return people.map { Candidate(text: $0.name) }
        case .address:
            return peers.compactMap { peer in
                peer.address.map { Candidate(text: $0, summary: peer.name) }
            }
        case .peer:
            return peers.filter { !$0.online }.map { peer in
                Candidate(text: peer.name, summary: peer.address ?? "")
            }
        case .gameOption: return options(of: words.first { !$0.contains("=") })
        case .player, .removedPlayer, .team, .row, .cell, .score, .move:
            return show.map { SheetCandidates(show: $0).candidates(kind, after: words) } ?? []
        default: return []
        }
    }

    private var peers: [PeerSummary] {
        answer(to: .peers, .init(session: session))?.items ?? []
    }

    /// The sessions by title, or by id if several have the same title.
    private var sessions: [Candidate] {
        let all = answer(to: .sessions)?.items ?? []
        return all.map { session in
            let isUnique = all.count { $0.title == session.title } == 1
            return Candidate(
                text: isUnique ? session.title : session.id,
                summary: (isUnique ? "" : session.title + ", ") + session.game
            )
        }
    }

    private func options(of game: String?) -> [Candidate] {
        guard let game else {
            let options = answer(to: .options, .init(session: session))?.options ?? []
            return options.map { Candidate(text: $0.name + "=", summary: $0.takes) }
        }
        guard let sheet = answer(to: .game, .init(game: game))?.sheet,
            let known = try? Sheet(json: sheet)
        else { return [] }
        return known.options.map { Candidate(text: "\($0.name)=", summary: $0.help) }
    }

    private var remainingMilliseconds: Int {
        Int(max(1, deadline - platform_steady_milliseconds()))
    }

    private func answer<Parameters, Reply>(
        to method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) -> Reply? {
        guard let client, platform_steady_milliseconds() < deadline else { return nil }
        return try? client.call(method, parameters, timeoutMilliseconds: remainingMilliseconds)
    }

    private func answer<Reply>(to method: Method<NoParameters, Reply>) -> Reply? {
        answer(to: method, NoParameters())
    }

    private func connected() -> ControlClient? {
        guard let paths else { return nil }
        for path in [paths.socket, ControlLock.socket(paths)] {
            guard let path,
                let client = try? ControlClient(
                    path: path,
                    client: "scorectl \(Versions.program)",
                    home: paths.home,
                    timeoutMilliseconds: remainingMilliseconds
                )
            else { continue }
            return client
        }
        return nil
    }
}

/// Candidates from a sheet: its players, rows and moves.
struct SheetCandidates: CandidateSource {
    let show: ShowReply

    func candidates(_ kind: ArgumentKind, after words: [String]) -> [Candidate] {
        texts(kind, after: words).map { Candidate(text: $0) }
    }

    func texts(_ kind: ArgumentKind, after words: [String]) -> [String] {
        switch kind {
        case .player: show.activePlayers.map(\.name)
        case .removedPlayer: show.document.players.filter(\.removed).map(\.name)
        case .score: rows(for: player(words.first)).map { $0 + "=" }
        case .cell:
            player(words.first)?.cells.map { CellAddress.text($0.row, $0.round) } ?? rows(for: nil)
        case .row: rows(for: nil)
        case .move: show.legalMoves + show.activePlayers.map(\.name)
        case .team: show.document.teams.map(\.name)
        default: []
        }
    }

    /// Returns the named player, or for nil the player of this laptop.
    private func player(_ word: String?) -> ShownPlayer? {
        let named = word.flatMap { word in
            show.document.players.first { $0.name.lowercased() == word.lowercased() }
        }
        return named ?? show.document.players.first { $0.id == show.context.me }
    }

    /// Returns the rows that can be entered, as they are typed; for a row with rounds, the first
    /// round that is empty for the player.
    func rows(for player: ShownPlayer?) -> [String] {
        var seen: Set<String> = []
        let rows = show.context.rows.filter { !$0.computed && seen.insert($0.row).inserted }
        return rows.map { row in
            guard row.round != nil, let player else { return row.row }
            let filled = Set(player.cells.filter { $0.row == row.row }.compactMap(\.round))
            let free = (1...filled.count + 1).first { !filled.contains($0) }
            return CellAddress.text(row.row, free)
        }
    }
}

extension ShowReply {
    var activePlayers: [ShownPlayer] { document.players.filter { !$0.removed } }

    /// The cells with values of several laptops.
    var conflicts: [(player: ShownPlayer, cell: ShownCell)] {
        activePlayers.flatMap { player in
            player.cells.filter { !$0.conflict.isEmpty }.map { (player, $0) }
        }
    }

    var legalMoves: [String] {
        document.panels.flatMap { panel -> [String] in
            guard case .board(let board) = panel else { return [] }
            return board.legal
        }
    }
}
