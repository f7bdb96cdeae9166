import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// What this device remembers beside its sessions: owns who plays on it and what was chosen last,
/// as they are on disk.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class DeviceNotes: @unchecked Sendable {
    /// The people of this device.
    private(set) var roster: Roster
    /// What is remembered beside sessions and people.
    private(set) var memory: DeviceMemory
    private let disk: Disk

    init(_ roster: Roster, _ memory: DeviceMemory, _ disk: Disk) {
        self.roster = roster
        self.memory = memory
        self.disk = disk
    }

    // MARK: People

    /// Changes who plays on this device, on disk first.
    func change(
        _ change: @escaping @Sendable (inout Roster) -> Void,
        then answer: @escaping Answer<Roster>
    ) {
        disk.ask { store throws(StoreError) in
            try store.changePeople { people in
                var roster = Roster(people)
                change(&roster)
                people = roster.people
            }
        } then: { [self] result in
            answer(
                result.map { people in
                    roster = Roster(people)
                    return roster
                }
            )
        }
    }

    /// Remembers who plays, over sessions; nothing waits for it.
    func note(people names: [String], or log: Log) {
        guard !names.isEmpty else { return }
        change(
            { $0.note(names) },
            then: { result in
                guard case .failure(let error) = result else { return }
                log.write(.error, "who plays could not be noted: \(error.message)")
            }
        )
    }

    // MARK: Choices

    /// Remembers the options that somebody chose for a game on this device, for its next session.
    func remember(
        _ chosen: [GameOption],
        of sheet: Sheet,
        in present: [GameOption] = [],
        forgettingOthers: Bool = false
    ) {
        change {
            $0.remember(chosen, of: sheet, in: present, forgettingOthers: forgettingOthers)
        }
    }

    /// Remembers that word lists were chosen on this device, also where the game stays as it is.
    func noteLists(in chosen: [GameOption]) { change { $0.noteLists(in: chosen) } }

    private func change(_ change: @escaping @Sendable (inout DeviceMemory) -> Void) {
        let before = memory
        change(&memory)
        guard memory != before else { return }
        disk.note("the options could not be remembered") { store throws(StoreError) in
            try store.changeMemory(change)
        }
    }

    // MARK: What is on disk already, or first

    /// A session was left, which is on disk.
    func hasLeft(_ session: SessionID) { memory.leave(session) }

    /// Counts a game from a moment on, once that is on disk.
    func reset(_ game: String, at milliseconds: UInt64, then answer: @escaping Answer<Void>) {
        disk.ask { store throws(StoreError) in
            try store.changeMemory { $0.reset(game, at: milliseconds) }
        } then: { [self] result in
            if case .success = result { memory.reset(game, at: milliseconds) }
            answer(result)
        }
    }
}
