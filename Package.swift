// swift-tools-version: 6.3

import PackageDescription

/// How release builds are linked: by default for a fast start on this machine, `static` for any
/// Linux, `packaged` as distributions want it: with the system's libraries, and position-independent.
let linking = Context.environment["SCORESYNC_LINK"]

/// Whether nothing is compiled again after a change, as in CI: a debug build takes a sixth less then.
let isBuiltOnce = Context.environment["SCORESYNC_BUILD"] == "once"

/// Options that leave out the information for debuggers, where nobody debugs.
///
/// SwiftPM adds `-g` after the options of targets.
let debugInformation = isBuiltOnce ? ["-Xfrontend", "-gnone"] : []

/// The settings of every target: the strictest that the language offers, and no warning stays.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .unsafeFlags(debugInformation, .when(configuration: .debug)),
    // Types such as containers of a document's fields are made from their parts. From their mangled
    // names they took a fifth of the time of `scorectl show`, because the runtime searches all
    // conformances for each.
    .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]),
    // A section for each function lets the linker leave out what nothing calls. Accesses are checked
    // for exclusivity in debug builds, in which all tests run.
    .unsafeFlags(
        [
            "-Xfrontend", "-function-sections", "-enforce-exclusivity=unchecked",
            // Without hashes for the next compilation, which differ between two of the same sources.
            "-Xfrontend", "-disable-incremental-llvm-codegen",
        ],
        .when(platforms: [.linux], configuration: .release)
    ),
]

/// The settings of what the programs are made of: also without regular expressions, whose library adds
/// 1.3 MB to each program.
let lean =
    strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// The settings of what waits for people and for daemons: compiled for size.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// The targets that call C directly also account for every unsafe use.
let atTheBoundary = lean + [.strictMemorySafety()]

/// The targets that alone are built, with what they need: the three programs for `make build`, in
/// one build that uses all cores, and some of the tests for the thread sanitizer.
let only = Context.environment["SCORESYNC_ONLY"]?.split { " |".contains($0) }.map(String.init)

/// The settings of the pure modules, of the store and of the simulator, which are optimized in builds
/// of all tests.
///
/// Random tests spend nearly all of their time in them, and took three to five times as long without;
/// tests of pages and of the daemon take twice as long without `ScoreSheets` and `SyncProtocol`, and
/// those of the store itself without it.
/// Optimizing a module as a whole takes two thirds of the processor time of doing so file by file,
/// and doing it for size takes four fifths of doing it for speed.
let optimized =
    only == nil
    ? lean + [
        .unsafeFlags(
            ["-Osize", "-wmo", "-num-threads", "2", "-disable-batch-mode"],
            .when(configuration: .debug)
        )
    ] : lean

/// How all programs are linked for release: without the symbols that Swift exports for libraries
/// loaded later, and with one copy of functions that are equal.
///
/// A build id would depend on the directory of the sources, by the debug information, which is not
/// installed.
let compact: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all",
            "-Xlinker", "--build-id=none",
        ],
        .when(platforms: [.linux], configuration: .release)
    )
]

/// What distributions add to what the linker does by default: all functions of libraries are bound at
/// the start, so that no table of them stays writable.
let packaged: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux], configuration: .release)
    )
]

/// How `scorectl` is linked for release: all in one file at a fixed address, because finding the
/// libraries and relocating the tables of the runtime takes longer than what a command does.
let alone: [LinkerSetting] = [
    .unsafeFlags(["-static-executable"], .when(platforms: [.linux], configuration: .release))
]

/// How the daemon is linked for release: at a fixed address, but with the system's C library, which
/// looks up the names of hosts by whatever the system is told to; for `make static` all in one file,
/// which looks in `/etc/hosts` and asks the servers of `/etc/resolv.conf`.
let fixed: [LinkerSetting] =
    linking == "static"
    ? alone
    : [
        .unsafeFlags(
            ["-Xclang-linker", "-no-pie"],
            .when(platforms: [.linux], configuration: .release)
        )
    ]

/// One library target of the house.
func module(
    _ name: String,
    _ dependencies: [Target.Dependency],
    settings: [SwiftSetting] = lean,
    exclude: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: settings
    )
}

/// The settings of tests.
///
/// A target that is compiled in parts expands the macros of all its tests for each part, and once more
/// for its interface.
let tested =
    isBuiltOnce
    ? strict + [
        .unsafeFlags([
            "-wmo", "-num-threads", "2", "-disable-batch-mode", "-no-emit-module-separately-wmo",
        ])
    ] : strict

/// The tests of one target, with whatever else they need.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: tested)
}

let package = Package(
    name: "ScoreSync",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "scoresyncd", targets: ["scoresyncd"]),
        .executable(name: "scorectl", targets: ["scorectl"]),
        .executable(name: "scoresync-board", targets: ["scoresync-board"]),
        .executable(name: "scoresync-bench", targets: ["scoresync-bench"]),
    ],
    targets: [
        // Files embedded by the C compiler.
        .target(name: "CResources"),

        // The pure part: no clock, no randomness, no input or output.
        module("SessionCRDT", [], settings: optimized),
        module("JSONCoding", ["SessionCRDT"], settings: optimized),
        module(
            "ScoreSheets",
            ["SessionCRDT", "JSONCoding", "CResources"],
            settings: optimized,
            exclude: ["Games"]
        ),
        module("SyncProtocol", ["SessionCRDT", "JSONCoding"], settings: optimized),
        module("SyncEngine", ["SessionCRDT", "SyncProtocol"], settings: optimized),
        module("BoardSite", ["SessionCRDT", "SyncProtocol", "JSONCoding"], settings: lean + small),

        // The part that touches the world.
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "CPlatform"),
        module("Descriptors", ["CPlatform"]),
        module(
            "SessionStore",
            ["SessionCRDT", "Descriptors", "CPlatform", "CSQLite"],
            settings: optimized + [.strictMemorySafety()]
        ),
        module(
            "PeerTransport",
            ["SessionCRDT", "SyncProtocol", "Descriptors", "COpenSSL", "CPlatform"],
            settings: atTheBoundary
        ),
        module(
            "ControlSocket",
            ["SessionCRDT", "JSONCoding", "SyncProtocol", "Descriptors", "CPlatform"]
        ),

        // What the programs print on terminals.
        module(
            "TerminalText",
            ["SessionCRDT", "SyncProtocol", "CPlatform"],
            settings: lean + small
        ),

        // The programs.
        .executableTarget(
            name: "scoresyncd",
            dependencies: [
                "SessionCRDT", "ScoreSheets", "SyncProtocol", "SyncEngine", "SessionStore",
                "PeerTransport", "ControlSocket", "Descriptors", "CPlatform", "TerminalText",
            ],
            swiftSettings: lean,
            linkerSettings: compact + (linking == "packaged" ? packaged : fixed)
        ),
        .executableTarget(
            name: "scorectl",
            dependencies: [
                "SessionCRDT", "SyncProtocol", "ScoreSheets", "ControlSocket", "CPlatform",
                "TerminalText",
            ],
            swiftSettings: lean + small,
            linkerSettings: compact + (linking == "packaged" ? packaged : alone)
        ),

        // The board in browsers: a client of the daemon, in a process of its own.
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]
        ),
        .systemLibrary(
            name: "CQRencode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .executableTarget(
            name: "scoresync-board",
            dependencies: [
                "BoardSite", "SyncProtocol", "JSONCoding", "ControlSocket", "CPlatform",
                "CMicroHTTPD", "CQRencode", "CResources", "TerminalText",
            ],
            exclude: ["Page"],
            swiftSettings: atTheBoundary + small,
            linkerSettings: compact + (linking == "packaged" ? packaged : [])
        ),

        // The laboratory and the stopwatch.
        module(
            "SyncTestKit",
            ["SessionCRDT", "SyncProtocol", "SyncEngine"],
            settings: optimized
        ),
        .executableTarget(
            name: "scoresync-bench",
            dependencies: [
                "SessionCRDT", "SyncProtocol", "SessionStore", "ControlSocket", "CPlatform",
                "ScoreSheets",
            ],
            swiftSettings: strict
        ),

        // Many histories from the command line: plays, shrinks and replays them.
        .executableTarget(
            name: "simulator",
            dependencies: ["SyncTestKit"],
            path: "Tests/Fixtures/Simulator",
            swiftSettings: strict
        ),

        // A process that the tests of the store may kill, or run where the disk is full.
        .executableTarget(
            name: "store-writer",
            dependencies: ["SessionStore", "SessionCRDT"],
            path: "Tests/Fixtures/StoreWriter",
            swiftSettings: strict
        ),

        // A thread for whatever runs on a queue of the daemon.
        .target(
            name: "QueueKit",
            dependencies: ["Descriptors"],
            path: "Tests/Fixtures/QueueKit",
            swiftSettings: strict
        ),

        // Laptops for tests: real daemons and command lines, each with a home of its own.
        .target(
            name: "LaptopKit",
            dependencies: ["CPlatform"],
            path: "Tests/Fixtures/LaptopKit",
            swiftSettings: strict
        ),

        // Browsers for tests: a board of a laptop, and connections that say what they like.
        .target(
            name: "BoardKit",
            dependencies: ["LaptopKit", "CPlatform"],
            path: "Tests/Fixtures/BoardKit",
            swiftSettings: strict
        ),

        // A stranger on the network, who listens to everything and says anything.
        .executableTarget(
            name: "lan-probe",
            dependencies: ["SyncProtocol", "CPlatform"],
            path: "Tests/Fixtures/LANProbe",
            swiftSettings: strict
        ),

        tests("SessionCRDTTests", ["SessionCRDT", "SyncTestKit"]),
        tests("ProtocolTests", ["SyncProtocol", "JSONCoding", "SessionCRDT", "SyncTestKit"]),
        tests("ScoreSheetsTests", ["ScoreSheets", "SessionCRDT", "SyncTestKit"]),
        tests("SyncEngineTests", ["SyncEngine", "SyncProtocol", "SessionCRDT", "SyncTestKit"]),
        // A file system for SQLite that fails, tears and loses power.
        .target(
            name: "FaultyDisk",
            path: "Tests/Fixtures/FaultyDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        tests(
            "SessionStoreTests",
            [
                "SessionStore", "SessionCRDT", "Descriptors", "SyncTestKit", "QueueKit",
                "FaultyDisk", "store-writer",
            ]
        ),
        tests("DescriptorsTests", ["Descriptors", "CPlatform", "QueueKit"]),
        tests(
            "PeerTransportTests",
            ["PeerTransport", "Descriptors", "SyncProtocol", "COpenSSL", "CPlatform", "QueueKit"]
        ),
        tests(
            "ControlSocketTests",
            [
                "ControlSocket", "Descriptors", "JSONCoding", "SyncProtocol", "CPlatform",
                "SyncTestKit", "QueueKit",
            ]
        ),
        tests(
            "scoresyncdTests",
            [
                "scoresyncd", "scorectl", "LaptopKit", "QueueKit", "SyncProtocol",
                "SessionCRDT", "Descriptors", "SessionStore", "ScoreSheets", "ControlSocket",
                "SyncTestKit", "SyncEngine", "PeerTransport", "CPlatform",
            ]
        ),
        tests(
            "scorectlTests",
            [
                "scorectl", "SyncProtocol", "ScoreSheets", "ControlSocket", "CPlatform",
                "SessionCRDT", "SessionStore", "QueueKit", "SyncTestKit", "TerminalText",
            ]
        ),
        tests("BoardSiteTests", ["BoardSite", "JSONCoding", "SyncProtocol", "SyncTestKit"]),
        tests(
            "BoardTests",
            [
                "scoresync-board", "scorectl", "scoresyncd", "BoardKit", "LaptopKit", "BoardSite",
                "SessionCRDT", "SyncProtocol", "SyncTestKit", "ControlSocket", "CPlatform",
                "CQRencode", "TerminalText",
            ]
        ),
        tests("SimulationTests", ["SyncTestKit", "SessionCRDT", "SessionStore", "FaultyDisk"]),
        tests(
            "LANTests",
            [
                "BoardKit", "LaptopKit", "SessionCRDT", "SyncProtocol", "SessionStore",
                "SyncTestKit", "ControlSocket", "scoresyncd", "scorectl", "scoresync-board",
                "lan-probe",
            ]
        ),
        // The pages of the board in a real browser.
        tests(
            "BrowserTests",
            ["LaptopKit", "SyncProtocol", "scoresyncd", "scorectl", "scoresync-board"]
        ),
        tests("RepositoryTests", []),
    ],
    swiftLanguageModes: [.v6]
)

if let only {
    // Targets stand below those that they need.
    var needed = Set(only)
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
