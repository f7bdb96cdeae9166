import ScoreSheets
import SessionCRDT
import SyncProtocol

extension Scoreboard {
    /// The sheet that the session is played by, or in words why there is none.
    func playedSheet() throws(ControlError) -> Sheet {
        do throws(SheetError) { return try sheet.get() } catch {
            throw ControlError(error, of: header)
        }
    }

    /// The player with this id.
    func player(_ id: PlayerID) -> Player? { book.player(id) }

    /// Who is to move; nil in games without turns and at the end.
    var turn: Player? { standings?.turn.flatMap(player) }

    /// Those who take part.
    var presentPlayers: [Player] { players.filter(\.isPresent) }

    /// What a device is called, as on every device.
    func name(of device: DeviceID, among names: DeviceNames) -> String {
        names[device] ?? devices[device] ?? device.placeholder
    }
}

extension ControlError {
    /// The rules do not allow it.
    init(_ violation: RuleViolation) {
        let candidates = violation.candidates
        self.init(
            .refused,
            violation.description + ControlError.remedy(of: violation),
            candidates: candidates.isEmpty ? nil : candidates
        )
    }

    /// The command that helps where something is refused for how the session is.
    private static func remedy(of violation: RuleViolation) -> String {
        switch violation {
        case .rowOff(_, let needs): "; to set it: session option \(needs.example)"
        case .finished: ": session reopen"
        default: ""
        }
    }

    /// A session cannot be played here, because of its sheet; its scores are kept all the same.
    init(_ error: SheetError, of header: SessionHeader) {
        let title = header.title.isEmpty ? "this session" : "“\(header.title)”"
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
            let sheet = SheetHead(header.sheet ?? "")
            guard let sheet, sheet.id == header.game?.description else {
                self.init(
                    .failed,
                    "the sheet that \(title) carries is broken: \(error); its scores are kept "
                        + "and synced all the same; to put back the sheet of before: "
                        + "scorectl session restore"
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
