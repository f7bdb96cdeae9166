import SessionCRDT

/// What the devices of a session are called, no two alike: laptops of one host name are told apart
/// as "vm", "vm 2".
///
/// It follows from what is written in the session, where each device has put its name with its
/// first write, so it is the same on all of them; and who came first stays who they are when
/// another one comes. Nothing is written for it: two that came while they were apart would both
/// choose the same number.
struct DeviceNames: Hashable, Sendable {
    private var names: [DeviceID: String] = [:]
    private var taken: Set<String> = []
    /// The next number to try for a name.
    private var numbers: [String: Int] = [:]

    /// The names that are written among the live entries of a session.
    init(of live: some Sequence<(key: Key, value: LiveSet)>) {
        var written: [(device: DeviceID, name: String, stamp: Stamp)] = []
        for (key, set) in live {
            guard case .device(let device) = key, let name = set.winner.value.string else {
                continue
            }
            written.append((device, name, set.winner.stamp))
        }
        add(
            written.sorted { ($0.stamp, $0.device) < ($1.stamp, $1.device) }
                .map { ($0.device, $0.name) }
        )
    }

    /// What a device is called; nil where it is not known here.
    subscript(device: DeviceID) -> String? { names[device] }

    /// Names devices that have written nothing, one after the other, beside those that have.
    mutating func add(_ devices: [(device: DeviceID, name: String)]) {
        let new = devices.filter { names[$0.device] == nil }
        let meant = Set(new.map { $0.name.lowercased() })
        for (device, name) in new where names[device] == nil {
            var distinct = name
            let plain = name.lowercased()
            if taken.contains(plain) {
                // It never goes back, so that a thousand of one name cost a thousand steps.
                repeat {
                    numbers[plain, default: 1] += 1
                    distinct = "\(name) \(numbers[plain] ?? 2)"
                } while taken.contains(distinct.lowercased())
                    || meant.contains(distinct.lowercased())
            }
            taken.insert(distinct.lowercased())
            names[device] = distinct
        }
    }
}
