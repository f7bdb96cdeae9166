import ControlSocket
import Descriptors
import ScoreSheets
import SessionStore
import SyncProtocol

/// The people who play on this device: who has ever played, and who plays next, in which order.
///
/// Those who play next stand in the order of their seats, the others in the order in which they
/// last played; names differ in more than their case.
struct Roster: Hashable, Sendable {
    /// The most people that are kept.
    static let most = 200

    /// The people in the order in which they are kept.
    private(set) var people: [Person]

    /// The roster of the people that a store kept.
    init(_ people: [Person] = []) { self.people = people }

    /// The people of the next session, in order.
    var selected: [Person] { people.filter(\.isSelected) }

    /// The selected people in their order, then the others by name.
    var listed: [Person] {
        selected
            + people.filter { !$0.isSelected }
            .sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    /// Adds who is not there yet.
    mutating func add(_ names: [String]) {
        for name in names where place(of: name) == nil { people.append(Person(name)) }
        shorten()
    }

    /// Notes who has played; of too many the one goes whose last game is longest ago.
    mutating func note(_ names: [String]) {
        for name in names {
            guard let place = place(of: name) else {
                people.append(Person(name))
                continue
            }
            if !people[place].isSelected { people.append(people.remove(at: place)) }
        }
        shorten()
    }

    /// Gives somebody another name, in the same place.
    mutating func rename(_ name: String, to new: String) {
        guard let place = place(of: name) else { return }
        var person = Person(new)
        person.isSelected = people[place].isSelected
        people[place] = person
    }

    /// Whether somebody else than a person already has a name.
    func isTaken(_ name: String, besides person: String) -> Bool {
        place(of: name).map { $0 != place(of: person) } ?? false
    }

    /// Removes people.
    mutating func remove(_ names: [String]) {
        for name in names { place(of: name).map { _ = people.remove(at: $0) } }
    }

    /// Selects people, in this order after those who are selected.
    mutating func select(_ names: [String]) {
        for name in names {
            guard let place = place(of: name), !people[place].isSelected else { continue }
            var person = people.remove(at: place)
            person.isSelected = true
            people.append(person)
        }
    }

    /// Selects people no longer; nil for everybody.
    mutating func unselect(_ names: [String]?) {
        for name in names ?? people.map(\.name) {
            if let place = place(of: name) { people[place].isSelected = false }
        }
    }

    /// Puts the selected people into an order by chance.
    mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        people = people.filter { !$0.isSelected } + selected.shuffled(using: &generator)
    }

    private func place(of name: String) -> Int? {
        people.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    private mutating func shorten() {
        while people.count > Roster.most {
            people.remove(at: people.firstIndex { !$0.isSelected } ?? 0)
        }
    }
}

/// The calls about the people of this device.
@EventLoop
struct PeopleCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.people) { _ in PeopleReply(settings.roster) }
        router.answer(.addPeople) { request async throws(ControlError) in
            let names = try Naming.newNames(request.names, beside: [])
            guard !names.isEmpty else { throw ControlError(.usage, "no name given") }
            guard settings.roster.people.count + names.count <= Roster.most else {
                throw ControlError(
                    .refused,
                    "at most \(Roster.most) people are kept",
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
            let name = try Naming.newNames([request.name], beside: [])[0]
            guard !settings.roster.isTaken(name, besides: person) else {
                throw ControlError(.refused, "there is somebody named “\(name)” already")
            }
            return PeopleReply(try await settings.change { $0.rename(person, to: name) })
        }
        router.answer(.selectPeople) { request async throws(ControlError) in
            let named: [String]? = if let texts = request.names { try people(texts) } else { nil }
            let everybody = settings.roster.listed.map(\.name)
            let isSelected = request.selected
            let roster = try await settings.change { roster in
                if isSelected { roster.select(named ?? everybody) } else { roster.unselect(named) }
            }
            return PeopleReply(roster)
        }
        router.answer(.shufflePeople) { _ async throws(ControlError) in
            guard !settings.roster.selected.isEmpty else {
                throw ControlError(
                    .refused,
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

    /// The people that texts name.
    private func people(_ texts: [String]) throws(ControlError) -> [String] {
        guard !texts.isEmpty else { throw ControlError(.usage, "name somebody") }
        let listed = settings.roster.listed
        return try texts.map { text throws(ControlError) in
            try Match(text, among: listed, \.name).only(
                of: text,
                "people",
                missing: "nobody here is called “\(text)”; new people: scorectl people add NAME",
                known: listed.map(\.name),
                precise: \.name
            ).name
        }
    }
}

extension PeopleReply {
    /// A roster as clients see it.
    fileprivate init(_ roster: Roster) {
        self.init(
            roster.listed.enumerated().map { place, person in
                PersonSummary(name: person.name, seat: person.isSelected ? place + 1 : nil)
            }
        )
    }
}
