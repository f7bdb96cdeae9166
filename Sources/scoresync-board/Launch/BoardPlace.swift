import BoardSite

/// Where a board is: its secret, and the addresses of this machine when it was started.
struct BoardPlace {
    /// The part of the address that nobody guesses.
    let secret: Secret
    private let rooms: [OwnAddress]

    /// A place that nobody knows yet.
    init(_ options: BoardOptions) {
        var generator = SystemRandomNumberGenerator()
        secret = Secret(using: &generator)
        rooms = options.servesRoom ? OwnAddress.all() : []
    }

    /// What browsers may say that they ask.
    func hosts(_ port: UInt16) -> Set<String> {
        Set((["127.0.0.1", "localhost"] + rooms.map(\.text)).map { "\($0):\(port)" })
    }

    /// The addresses, as they are told.
    func addresses(_ port: UInt16) -> BoardAddresses {
        BoardAddresses(
            url: board(at: "127.0.0.1", port),
            lan: rooms.map { BoardAddress(interface: $0.interface, url: board(at: $0.text, port)) }
        )
    }

    /// The address of the server for phones, without a path: that of this laptop alone where no
    /// network is up.
    func roomAddress(_ port: UInt16) -> String {
        server(at: rooms.first?.text ?? "127.0.0.1", port)
    }

    private func server(at host: String, _ port: UInt16) -> String { "http://\(host):\(port)" }

    private func board(at host: String, _ port: UInt16) -> String {
        "\(server(at: host, port))/\(secret.text)/"
    }
}
