import CPlatform
import SyncProtocol

/// What happens on the stage: a game of three rounds, of which one laptop misses the middle.
struct DemoPlay {
    private let stage: DemoStage
    private let ann: DemoLaptop
    private let bob: DemoLaptop
    private let cem: DemoLaptop

    init(_ stage: DemoStage) {
        self.stage = stage
        (ann, bob, cem) = (stage.laptops[0], stage.laptops[1], stage.laptops[2])
    }

    func perform() throws(ControlError) {
        let began = platform_steady_milliseconds()
        try meet()
        try play()
        let apart = try cutOff()
        try comeBack(apart)
        let seconds = (platform_steady_milliseconds() - began + 500) / 1000
        stage.title("That was ScoreSync, in \(seconds) s: no server, no account, nothing lost.")
        stage.say("Your turn: scorectl session new rounds --player You --player Friend")
    }

    /// Three daemons start; two join by the code alone.
    private func meet() throws(ControlError) {
        stage.title("1 · Three laptops on one table")
        for laptop in stage.laptops {
            try stage.quietly(laptop, laptop.start)
        }
        stage.say("Three daemons run, each with its own home; they know nothing of each other.")
        try stage.show(
            ann,
            ["session", "new", "rounds", "--title", "Friday"]
                + stage.laptops.flatMap { ["--player", $0.player] }
        )
        let invitation = try stage.show(ann, ["session", "invite"])
        guard
            let code = invitation.split(whereSeparator: \.isWhitespace)
                .first(where: { $0.utf8.count == 17 && $0.contains("-") })
        else { throw ControlError(.failed, "the demo failed: no join code was printed") }
        for laptop in [bob, cem] { try stage.show(laptop, ["join", String(code)]) }
        for laptop in stage.laptops {
            try stage.quietly(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
            try stage.quietly(laptop, ["player", "me", laptop.player])
        }
        stage.prove("all three found each other; nobody typed an address")
    }

    /// Everybody enters their own scores.
    private func play() throws(ControlError) {
        stage.title("2 · Everybody enters their own scores")
        for (laptop, scores) in [(ann, ["12", "9"]), (bob, ["15", "7"]), (cem, ["8", "20"])] {
            try stage.show(laptop, ["score"] + scores)
        }
        _ = try stage.waitUntilEqual()
        try stage.show(cem, ["show"])
        stage.prove("the same bytes on all three laptops")
    }

    /// One laptop is offline while all three write, one cell twice.
    private func cutOff() throws(ControlError) -> [String] {
        stage.title("3 · Cem's laptop is cut off, and all go on")
        try stage.show(cem, ["daemon", "offline"])
        try stage.show(ann, ["score", "round.3=11"])
        try stage.show(bob, ["score", "round.3=14"])
        stage.say("Bob writes down what he heard of Cem's round; Cem, offline, knows better:")
        try stage.show(bob, ["score", "Cem", "round.3=16"])
        try stage.show(cem, ["score", "round.3=18"])
        try stage.show(cem, ["show"])
        let here = try stage.quietly(cem, ["show", "--json"])
        let there = try stage.quietly(ann, ["show", "--json"])
        try stage.check(here != there, "an offline laptop cannot have the scores of the others")
        return [here, there]
    }

    /// It comes back: equal again, the conflict shown, the journal complete.
    private func comeBack(_ apart: [String]) throws(ControlError) {
        stage.title("4 · Cem's laptop comes back")
        try stage.show(cem, ["daemon", "online"])
        let began = platform_steady_milliseconds()
        let sheet = try stage.waitUntilEqual()
        let took = platform_steady_milliseconds() - began
        try stage.check(!apart.contains(sheet), "the scores of both sides must have come together")
        stage.prove("all three are equal again after \(took) ms")
        for laptop in stage.laptops {
            try stage.quietly(laptop, ["wait", "--for", "peers=2", "--timeout", "10"])
        }
        try stage.show(ann, ["show"])
        let conflicts = try stage.show(ann, ["conflicts"])
        try stage.check(
            conflicts.contains("16") && conflicts.contains("18"),
            "both values of Cem's round must be listed"
        )
        stage.prove("two values for one cell: the last one is shown, and neither vanished")
        try stage.show(cem, ["resolve", "Cem", "round.3", "18"])
        try proveJournal()
        try stage.show(ann, ["session", "finish"])
    }

    /// The journal of the laptop that lost the argument still has what was typed there.
    private func proveJournal() throws(ControlError) {
        let end = platform_steady_milliseconds() + 10_000
        var journal = ""
        repeat {
            journal = try stage.quietly(
                bob,
                ["history", "--player", "Cem", "--row", "round.3"]
            )
            _ = platform_wait(-1, false, -1, 10)
        } while !isComplete(journal) && platform_steady_milliseconds() < end
        try stage.check(isComplete(journal), "the journal must have both values: \(journal)")
        try stage.show(bob, ["history", "--player", "Cem", "--row", "round.3"])
        stage.prove("every value that anybody typed is in the journal, with who and when")
    }

    /// Bob's 16, Cem's 18, and the 18 that settled it.
    private func isComplete(_ journal: String) -> Bool {
        journal.contains("16") && journal.components(of: "18") >= 2
    }
}

extension String {
    /// How often a text stands in this one as a word.
    fileprivate func components(of word: String) -> Int {
        split(whereSeparator: { !$0.isNumber }).count { $0 == word }
    }
}
