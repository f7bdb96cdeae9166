/// Tests look at no clock and wait for no time, but where time itself is what they test: whoever
/// reads a clock depends on how busy the machine is.
enum ClockRule {
    /// The files that may, and why each does.
    static let needingTime: [String: String] = [
        "Tests/BoardTests/StrangerTests.swift": "how soon others are served is promised",
        "Tests/DescriptorsTests/EventQueueTests.swift": "the queue keeps times",
        "Tests/Fixtures/LaptopKit/Failure.swift": "waiting for real daemons has an end",
        "Tests/Fixtures/LaptopKit/Laptop.swift": "how long real daemons take is shown",
        "Tests/Fixtures/LaptopKit/Running.swift": "waiting for real programs has an end",
        "Tests/Fixtures/Simulator/Campaign.swift": "a campaign may be bounded in time",
        "Tests/LANTests/CableTests.swift": "how soon laptops are level again is promised",
        "Tests/LANTests/CrashTests.swift": "how soon laptops are level again is promised",
        "Tests/LANTests/LifeTests.swift": "how soon laptops are level again is promised",
        "Tests/LANTests/NextGameTests.swift": "how soon laptops follow is shown",
        "Tests/LANTests/StrangerTests.swift": "how soon laptops are level again is shown",
        "Tests/PeerTransportTests/FrameAllowanceTests.swift": "an allowance comes back with time",
        "Tests/PeerTransportTests/PeerListenerTests.swift": "the listener rests for a time",
        "Tests/PeerTransportTests/TransportLinkTests.swift": "a link tells of life once a second",
        "Tests/SessionStoreTests/CopyCrashTests.swift": "a process is killed after random times",
        "Tests/SessionStoreTests/CrashTests.swift": "a process is killed after random times",
        "Tests/scoresyncdTests/BackupTests.swift": "a daemon is killed after various times",
        "Tests/scoresyncdTests/DefaultPlaceTests.swift": "how soon a daemon is found is promised",
        "Tests/scoresyncdTests/RestoreHomeTests.swift": "a restore is killed after various times",
        "Tests/scoresyncdTests/HostileMemberTests.swift": "how soon a user is answered is promised",
    ]

    private static let clocks = [
        ["ContinuousClock"], ["SuspendingClock"], ["DispatchTime"], ["Date", "(", ")"],
        ["sleep", "("], ["usleep", "("], ["nanosleep", "("],
    ]

    /// The clocks that a test reads without need.
    static func violations(in file: SourceFile) -> [Violation] {
        guard !file.isSource, needingTime[file.path] == nil else { return [] }
        return clocks.flatMap { clock in
            file.places(of: clock).map { place in
                let token = file.tokens[place]
                return file.violation(
                    token.line,
                    "\(token.text) in a test: wait for a condition, or say in ClockRule why not"
                )
            }
        }
    }
}
