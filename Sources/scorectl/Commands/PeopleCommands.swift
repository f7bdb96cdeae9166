import SyncProtocol

/// `scorectl people …`: the people who play on this laptop, from session to session.
enum PeopleCommands {
    static let group = Command(
        name: "people",
        summary: "the people who play on this laptop",
        details: "Names in sessions that you start are remembered; in a session that you joined,"
            + " all names are once you say who you are (see 'player me'). 'session new' without"
            + " --player seats the selected people in their order. Without a subcommand it lists"
            + " them.",
        defaultSubcommand: "list",
        action: .group([list, add, remove, rename, select, unselect, shuffle])
    )

    private static let list = Command(
        name: "list",
        summary: "list the selected people in their order, then the others",
        action: .run { call throws(ControlError) in
            let reply = try call.call(.people)
            try call.print(reply, lines(reply.items))
        }
    )

    private static let add = Command(
        name: "add",
        summary: "remember people",
        words: "NAME...",
        action: .run { call throws(ControlError) in
            try confirm(call, try call.call(.addPeople, .init(names: call.words)))
        }
    )

    private static let remove = Command(
        name: "remove",
        summary: "forget people; sessions and results keep them",
        words: "NAME...",
        kinds: ["NAME": .person],
        action: .run { call throws(ControlError) in
            try confirm(call, try call.call(.removePeople, .init(names: call.words)))
        }
    )

    private static let rename = Command(
        name: "rename",
        summary: "give a person another name, from the next game on",
        words: "NAME NEW-NAME",
        details: "Played games and their results keep the old name; 'player rename' changes the"
            + " name in a session.",
        action: .run { call throws(ControlError) in
            let request = RenamePersonParameters(person: call.words[0], name: call.words[1])
            try confirm(call, try call.call(.renamePerson, request))
        }
    )

    private static let all = CommandOption("all", "everyone")

    private static let select = Command(
        name: "select",
        summary: "add people to the next game, in this order",
        words: "NAME... or --all",
        kinds: ["NAME": .person],
        arity: 0...64,
        details: "They follow the people who are selected already; to start over: people unselect"
            + " --all.",
        options: [all],
        examples: [("people select Ann Bob", "Ann plays, then Bob")],
        action: .run { call throws(ControlError) in try select(call, true) }
    )

    private static let unselect = Command(
        name: "unselect",
        summary: "remove people from the next game",
        words: "NAME... or --all",
        kinds: ["NAME": .person],
        arity: 0...64,
        options: [all],
        action: .run { call throws(ControlError) in try select(call, false) }
    )

    private static func select(_ call: Invocation, _ isSelected: Bool) throws(ControlError) {
        guard call.words.isEmpty == call.has("all") else {
            throw ControlError(.usage, "missing argument: NAME... or --all")
        }
        let names = call.words.isEmpty ? nil : call.words
        let request = SelectParameters(names: names, selected: isSelected)
        try confirm(call, try call.call(.selectPeople, request))
    }

    private static let shuffle = Command(
        name: "shuffle",
        summary: "put the selected people in a random order",
        action: .run { call throws(ControlError) in
            let reply = try call.call(.shufflePeople)
            let starter = reply.items.first { $0.seat == 1 }
            let head = starter.map {
                Line(TextWidth.truncated($0.name, to: 32), .strong) + Line(" starts.")
            }
            try call.print(reply, (head.map { [$0] } ?? []) + lines(reply.items))
        }
    )

    private static func confirm(_ call: Invocation, _ reply: PeopleReply) throws(ControlError) {
        try call.confirm(reply, lines(reply.items))
    }

    /// The people as a table.
    static func lines(_ people: [PersonSummary]) -> [Line] {
        guard !people.isEmpty else {
            return [Line("No people are remembered yet: scorectl people add NAME...")]
        }
        var table = Table([.right("Seat"), "Person"])
        for person in people {
            let isSelected = person.seat != nil
            table.add([
                Line(person.seat.map { "\($0)" } ?? "–", isSelected ? .plain : .faint),
                Line(TextWidth.truncated(person.name, to: 32), isSelected ? .strong : .faint),
            ])
        }
        guard people.first?.seat == nil else { return table.lines }
        return table.lines
            + [Line("No one is selected for the next game: scorectl people select NAME...", .faint)]
    }
}
