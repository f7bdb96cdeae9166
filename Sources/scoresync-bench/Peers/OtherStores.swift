/// What a write costs in other stores that keep a similar promise, where they are installed, and in
/// ScoreSync beside them.
enum OtherStores {
    static func measure(on stage: Stage) throws -> [Measurement] {
        var scenes: [(name: String, title: String, scene: Scene)] = []
        if let redis = try RedisPeer.scene(on: stage) {
            scenes.append(("redis", "Redis, which syncs each write, and a replica", redis))
        }
        if let etcd = try EtcdPeer.scene(on: stage) {
            scenes.append(("etcd", "etcd, one member", etcd))
        }
        var ends: [() throws -> Void] = []
        for cells in [100, 10_000] {
            let session = SampleSession(cells: cells)
            let (scene, end) = try PeerWrite.scene(of: session, on: stage)
            scenes.append(("scoresync-\(cells)", "ScoreSync, \(cells) cells", scene))
            ends.append(end)
        }
        let lines = try Contest(stage).measure(scenes).flatMap { [$0.write, $0.flow] }
        for end in ends { try end() }
        return lines
    }
}
