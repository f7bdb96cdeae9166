import SessionCRDT
import SessionStore

/// Adds numbered sessions and removes each with its result; checks that exactly the removed ones
/// have results.
struct Leaver {
    private let store: SessionStore

    init(_ store: SessionStore) { self.store = store }

    /// Leaves sessions until one fails, and prints each.
    func leave() {
        do throws(StoreError) {
            var number = UInt64(try store.results().count)
            while true {
                number += 1
                let id = SessionID(high: 9, low: number)
                if try !store.sessions().contains(where: { $0.id == id }) {
                    let key = [UInt8](repeating: 7, count: 32)
                    try store.add(SessionRecord(id: id, key: key, joinedAt: 1))
                }
                let result = Leaver.result(id, number)
                try store.atomically(to: "leave a session") { () throws(StoreError) in
                    try store.save([result], of: id)
                    try store.remove(id)
                    try store.set("left", to: "\(number)")
                }
                printLine("left \(number)")
            }
        } catch {
            printLine("error \(error)")
        }
    }

    /// Prints the number of results, or an inconsistency.
    func read() {
        do throws(StoreError) {
            let results = try store.results()
            let numbers = results.map(\.session.low)
            let there = try store.sessions().filter { $0.id.high == 9 }.map(\.id.low)
                .filter { numbers.contains($0) }
            let left = try store.setting("left").flatMap { UInt64($0) } ?? 0
            let isWhole =
                numbers == Array(1..<UInt64(numbers.count + 1)) && there.isEmpty
                && left == UInt64(numbers.count) && results.allSatisfy { $0.players.count == 1 }
            printLine(isWhole ? "kept \(left)" : "torn: \(numbers), there \(there), left \(left)")
        } catch {
            printLine("error \(error)")
        }
    }

    private static func result(_ session: SessionID, _ number: UInt64) -> ResultRecord {
        let ann = ResultPlayer(
            player: PlayerID(high: 1, low: 1),
            name: "Ann",
            isWinner: true,
            rank: 1,
            total: Points(Int64(number))
        )
        return ResultRecord(
            session: session,
            number: 1,
            game: "points",
            title: "Friday",
            endedAt: number,
            players: [ann]
        )
    }
}
