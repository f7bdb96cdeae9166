/// Removes everything from a history that its failure does not need (delta debugging: Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct Shrinker {
    private var history: History
    /// The number of histories that may still be tried.
    private var tries: Int
    private let fails: (History) -> Bool

    package static func shrink(
        _ history: History,
        tries: Int = 2_000,
        where fails: @escaping (History) -> Bool
    ) -> History {
        var shrinker = Shrinker(history: history, tries: tries, fails: fails)
        var before: History
        repeat {
            before = shrinker.history
            shrinker.simplifyWorld()
            shrinker.dropEvents()
        } while shrinker.history != before && shrinker.tries > 0
        return shrinker.history
    }

    /// Replaces the history by the candidate if that fails, too; returns whether it does.
    @discardableResult
    private mutating func attempt(_ candidate: History) -> Bool {
        guard tries > 0, candidate != history else { return false }
        tries -= 1
        guard fails(candidate) else { return false }
        history = candidate
        return true
    }

    /// Removes runs of events, long ones first, until no single event can be removed.
    private mutating func dropEvents() {
        var size = max(1, history.events.count / 2)
        while true {
            var start = 0
            var dropped = false
            while start < history.events.count {
                var candidate = history
                let end = min(start + size, candidate.events.count)
                candidate.events.removeSubrange(start..<end)
                if attempt(candidate) { dropped = true } else { start += size }
            }
            if size == 1, !dropped || tries == 0 { return }
            if !dropped { size = max(1, size / 2) }
        }
    }

    /// Resets each setting of the scenario to its default if the failure does not need it.
    private mutating func simplifyWorld() {
        let simplifications: [(inout Scenario) -> Void] = [
            { $0.usesBytes = false }, { $0.announcementLoss = 0 }, { $0.lateWrites = 0 },
            { $0.partitions = [] },
            { $0.firewalled = [] }, { $0.broken = [] }, { $0.hasBroadcast = true },
            { $0.sessions = 1 },
        ]
        for simplify in simplifications { attempt(simplify) }
        let last = history.events.last?.at ?? 0
        attempt { $0.faultDuration = min($0.faultDuration, last) }
        while history.scenario.broken.count > 1, attempt({ $0.broken.removeLast() }) {}
        while history.scenario.laptops > 2,
            attempt({ ($0.laptops, $0.spares) = ($0.laptops - 1, $0.spares + 1) })
        {}
        while history.scenario.spares > 0, attempt({ $0.spares -= 1 }) {}
    }

    @discardableResult
    private mutating func attempt(_ change: (inout Scenario) -> Void) -> Bool {
        var candidate = history
        change(&candidate.scenario)
        return attempt(candidate)
    }
}
