/// Another session, by its id and its title.
package struct NamedSession: Codable, Hashable, Sendable {
    /// Its public id.
    package var id: String
    /// Its title.
    package var title: String

    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}
