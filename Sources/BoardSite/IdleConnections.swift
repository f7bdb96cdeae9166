/// The connections that ask for nothing at the moment, the one that has been so for longest first.
///
/// Who knows no path of the board gets no further than here, so that strangers only take each
/// other's places however many they are.
package struct IdleConnections: Sendable {
    /// The most that are kept.
    package static let most = 200

    private var connections: [Int32] = []

    /// None.
    package init() {}

    /// Takes in a connection that has come, or was answered.
    ///
    /// - Returns: the one to be closed for it, where there are too many.
    package mutating func add(_ connection: Int32) -> Int32? {
        connections.append(connection)
        return connections.count > IdleConnections.most ? connections.removeFirst() : nil
    }

    /// Takes out a connection that asks for something, or has gone.
    package mutating func remove(_ connection: Int32) {
        connections.removeAll { $0 == connection }
    }
}
