import SessionCRDT

/// Disks that give back something else than was written.
extension Simulation {
    /// Ends the daemon and changes something on its disk; it starts again at once.
    func rot(_ laptop: Laptop, _ rot: Rot, seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        guard let session = chance.pick(laptop.disk.held),
            var stored = laptop.disk.sessions[session],
            let dot = chance.pick(stored.entries.keys.sorted()), let before = stored.entries[dot]
        else { return }
        end(laptop, .powerCut)
        checker.note(.rot)
        checker.rotted(before.key)
        switch rot {
        case .value:
            let value = Value.integer(Int64(chance.number(0...1_000)))
            let entry = Entry(
                dot: dot,
                stamp: before.entry.stamp,
                author: before.entry.author,
                value: value
            )
            stored.entries[dot] = KeyedEntry(key: before.key, entry: entry)
        case .entry: stored.entries[dot] = nil
        case .key:
            guard let other = chance.pick(stored.entries.values.map(\.key).sorted()) else { break }
            checker.rotted(other)
            stored.entries[dot] = KeyedEntry(key: other, entry: before.entry)
        case .vector:
            let last = stored.sequences[dot.actor, default: 0]
            let next = last + chance.number(1...3)
            stored.sequences[dot.actor] = next
            for sequence in last + 1...next {
                checker.phantoms.insert(Dot(actor: dot.actor, sequence: sequence))
            }
        }
        laptop.disk.sessions[session] = stored
        laptop.everDurable[session, default: VersionVector()].join(stored.vector)
        after(chance.number(50...4_000)) { $0.start(laptop) }
    }
}
