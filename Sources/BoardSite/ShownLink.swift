/// A link of a player, as the board shows it to be scanned.
package struct ShownLink: Encodable, Hashable, Sendable {
    /// The id of the player.
    package let player: String
    /// The name.
    package let name: String
    /// The path of the link.
    package let path: String
    /// The whole address, for a phone.
    package let address: String
    /// The path of its picture for cameras.
    package let qr: String

    /// A link at the address of the server, without a path.
    package init(_ link: PhoneLinks.Link, at server: String) {
        player = link.player
        name = link.name
        path = link.path
        address = server + link.path
        qr = link.path + Site.picture
    }
}
