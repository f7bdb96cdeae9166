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
