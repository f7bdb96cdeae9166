import SessionCRDT

/// Writes entries as a device does that nobody else knows yet.
struct Pen {
    private let device: DeviceID
    private let actor: ActorID
    private var clock = HybridClock()
    private var sequence: UInt64 = 0

    init() {
        var generator = SystemRandomNumberGenerator()
        device = DeviceID.random(using: &generator)
        actor = ActorID.random(using: &generator)
    }

    /// Makes the mutations one commit.
    mutating func write(_ mutations: [Mutation], to map: inout StagedMap) {
        let stamp = clock.tick(physical: Stage.wall)
        for mutation in mutations {
            sequence += 1
            let entry = Entry(
                dot: Dot(actor: actor, sequence: sequence),
                stamp: stamp,
                author: device,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
    }
}
