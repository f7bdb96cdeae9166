import ControlSocket
import Descriptors
import ScoreSheets
import SessionStore
import SyncProtocol

/// The people who play on this device, some of whom are selected for the next session.
///
/// The selected people are in the order of their seats, the remaining ones in the order in which
/// they last played. No two names differ only in case.
struct Roster: Hashable, Sendable {
    static let maxPeople = 200

    private(set) var people: [Person]

    init(_ people: [Person] = []) { self.people = people }

    /// The people who are selected for the next session, in order.
    var selected: [Person] { people.filter(\.isSelected) }

    /// The selected people in their order, then the remaining ones by name.
    var listed: [Person] {
        selected
            + people.filter { !$0.isSelected }
            .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    /// Adds the people of these names, except those who are already in the roster.
    mutating func add(_ names: [String]) {
        for name in names where index(of: name) == nil { people.append(Person(name)) }
        shorten()
    }

    /// Records who has played; beyond the maximum, the person is removed who has not played for
    /// longest.
    mutating func recordPlayed(_ names: [String]) {
        for name in names {
            guard let index = index(of: name) else {
                people.append(Person(name))
                continue
            }
            if !people[index].isSelected { people.append(people.remove(at: index)) }
        }
        shorten()
    }

    mutating func rename(_ name: String, to new: String) {
        guard let index = index(of: name) else { return }
        var person = Person(new)
        person.isSelected = people[index].isSelected
        people[index] = person
    }

    func isTaken(_ name: String, besides person: String) -> Bool {
        index(of: name).map { $0 != index(of: person) } ?? false
    }

    mutating func remove(_ names: [String]) {
        for name in names { index(of: name).map { _ = people.remove(at: $0) } }
    }

    /// Selects people in this order, after those who are already selected.
    mutating func select(_ names: [String]) {
        for name in names {
            guard let index = index(of: name), !people[index].isSelected else { continue }
            var person = people.remove(at: index)
            person.isSelected = true
            people.append(person)
        }
    }

    /// Deselects people; nil means all.
    mutating func deselect(_ names: [String]?) {
        for name in names ?? people.map(\.name) {
            if let index = index(of: name) { people[index].isSelected = false }
        }
    }

    /// Puts the selected people into a random order.
    mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        people = people.filter { !$0.isSelected } + selected.shuffled(using: &generator)
    }

    private func index(of name: String) -> Int? {
        people.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    private mutating func shorten() {
        while people.count > Roster.maxPeople {
            people.remove(at: people.firstIndex { !$0.isSelected } ?? 0)
        }
    }
}

@EventLoop
struct PeopleCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.people) { _ in PeopleReply(settings.roster) }
        router.answer(.addPeople) { request async throws(ControlError) in
            let names = try Naming.newNames(request.names, differingFrom: [])
            guard !names.isEmpty else { throw .usage("no name given") }
            guard settings.roster.people.count + names.count <= Roster.maxPeople else {
                throw .refused(
                    "this laptop already has \(Roster.maxPeople) people, the maximum",
                    hint: "first remove one: scorectl people remove NAME"
                )
            }
            return PeopleReply(try await settings.change { $0.add(names) })
        }
        router.answer(.removePeople) { request async throws(ControlError) in
            let names = try people(request.names)
            return PeopleReply(try await settings.change { $0.remove(names) })
        }
        router.answer(.renamePerson) { request async throws(ControlError) in
            let person = try people([request.person])[0]
            let name = try Naming.newNames([request.name], differingFrom: [])[0]
            guard !settings.roster.isTaken(name, besides: person) else {
                throw .refused("a person named “\(name)” already exists")
            }
            return PeopleReply(try await settings.change { $0.rename(person, to: name) })
        }
        router.answer(.selectPeople) { request async throws(ControlError) in
            let named: [String]? = if let texts = request.names { try people(texts) } else { nil }
            let everyone = settings.roster.listed.map(\.name)
            let isSelected = request.selected
            let roster = try await settings.change { roster in
                if isSelected { roster.select(named ?? everyone) } else { roster.deselect(named) }
            }
            return PeopleReply(roster)
        }
        router.answer(.shufflePeople) { _ async throws(ControlError) in
            guard !settings.roster.selected.isEmpty else {
                throw .refused(
                    "no one is selected",
                    hint: "choose who plays with: scorectl people select NAME..."
                )
            }
            let roster = try await settings.change { roster in
                var generator = SystemRandomNumberGenerator()
                roster.shuffle(using: &generator)
            }
            return PeopleReply(roster)
        }
    }

    private func people(_ texts: [String]) throws(ControlError) -> [String] {
        guard !texts.isEmpty else { throw .usage("no name given") }
        let listed = settings.roster.listed
        return try texts.map { text throws(ControlError) in
            try Match(text, among: listed, \.name).only(
                of: text,
                "people",
                missing: "no person named “\(text)”",
                hint: "to add people: scorectl people add NAME",
                known: listed.map(\.name),
                precise: \.name
            ).name
        }
    }
}

extension PeopleReply {
    /// Creates the list of people that clients see.
    fileprivate init(_ roster: Roster) {
        self.init(
            roster.listed.enumerated().map { index, person in
                PersonSummary(name: person.name, seat: person.isSelected ? index + 1 : nil)
            }
        )
    }
}
