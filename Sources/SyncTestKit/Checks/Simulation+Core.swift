import SessionCRDT
import SyncEngine

/// A part of the laptops is healed while the rest stays broken: the part must agree and fall silent
/// whatever the rest does (liveness as TigerBeetle's simulator tests it).
extension Simulation {
    /// How long somebody who was lost is looked for often.
    private static let calmAfter: UInt64 = Timing.searching + 40_000

    /// Lets things stay wrong with some laptops and heals the others.
    func playCore() {
        for laptop in laptops where !laptop.isBlank {
            let broken = scenario.broken.first { $0.laptop == laptop.index }
            // Who came later is away: nobody knows who else has heard of them.
            let isLate = laptop.index >= scenario.laptops
            if let breakage = broken?.by ?? (isLate ? .off : nil) { breakDown(laptop, breakage) }
        }
        heal()
        run(until: 2_000 + scenario.trouble + scenario.lateWrites)
        guard run(atMost: 2 * equalWithin, until: { $0.isEqual }) != nil else {
            guard checker.violations.isEmpty else { return }
            return explainDifference(in: "the healed part ")
        }
        run(until: now + Simulation.calmAfter)
        watchCore()
        checker.note(.healedCore)
    }

    private func breakDown(_ laptop: Laptop, _ breakage: Scenario.Breakage) {
        switch breakage {
        case .off: end(laptop, .powerCut)
        case .asleep: sleep(laptop)
        case .full:
            cure(laptop)
            laptop.trouble = .full
        case .isolated, .deaf: break
        }
        laptop.breakage = breakage
    }

    /// Watches the part: it says nothing more among itself, and little to the rest.
    private func watchCore() {
        guard checker.violations.isEmpty else { return }
        checker.reset()
        run(until: now + Simulation.watched)
        let counts = checker.counts
        if !isEqual { explainDifference(in: "later the healed part ") }
        if counts.words > 0 || counts.innerDials > 0 {
            checker.complain(
                "\(counts.words) messages and \(counts.innerDials) dials in the silence of a part"
            )
        }
        let callers = laptops.count { $0.run != nil }
        let most = Int(Simulation.watched / (Timing.sometimes * 8 / 10)) + Timing.burst.count
        if counts.announcements > callers * most {
            checker.complain("\(counts.announcements) announcements in the silence of a part")
        }
        if counts.outerWords > scenario.broken.count * 10 {
            checker.complain("\(counts.outerWords) messages with who stays broken")
        }
    }
}
