/// Asks for the people of this device.
package struct PeopleListRequest: ReadingRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.list"

    package init() {}
}

/// The people of this device.
package struct PeopleReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// All of them: the selected ones in their order, then the others by name.
    package var people: [PersonSummary]

    package init(people: [PersonSummary]) {
        self.people = people
    }
}

/// Somebody who plays on this device.
package struct PersonSummary: Codable, Hashable, Sendable {
    /// The name.
    package var name: String
    /// The place among those who play in the next session, from 1; null for who does not.
    @ExplicitNull package var seat: Int?

    package init(name: String, seat: Int? = nil) {
        self.name = name
        self.seat = seat
    }
}

/// Adds people, without selecting them.
package struct PeopleAddRequest: ControlRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.add"

    /// Their names.
    package var names: [String]

    package init(names: [String]) {
        self.names = names
    }
}

/// Removes people from this device; sessions and results keep them.
package struct PeopleRemoveRequest: ControlRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.remove"

    /// Their names, or beginnings of them.
    package var names: [String]

    package init(names: [String]) {
        self.names = names
    }
}

/// Gives somebody another name on this device; sessions and results keep the one before.
package struct PeopleRenameRequest: ControlRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.rename"

    /// Who, by the name or a beginning of it.
    package var person: String
    /// The new name.
    package var name: String

    package init(person: String, name: String) {
        self.person = person
        self.name = name
    }
}

/// Selects people for the next session, or no longer.
package struct PeopleSelectRequest: ControlRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.select"

    /// Their names, or beginnings of them; nil for all.
    package var names: [String]?
    /// Whether they play.
    package var selected: Bool

    package init(names: [String]?, selected: Bool) {
        self.names = names
        self.selected = selected
    }
}

/// Puts the selected people into an order by chance.
package struct PeopleShuffleRequest: ControlRequest, Hashable {
    package typealias Reply = PeopleReply
    package static let method = "people.shuffle"

    package init() {}
}
