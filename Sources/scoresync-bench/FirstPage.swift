import Foundation

/// The app's first page: everything that a browser requests before it shows what is being played.
enum FirstPage {
    private static let files = [
        "", "page.css", "app.css", "start.css", "table.css", "after.css", "icon.svg", "app.js",
        "page.js", "sheet.js", "calls.js", "home.js", "sessions.js", "stream.js",
    ]

    static func measure(on stage: Stage) throws -> [Measurement] {
        let session = SampleSession(cells: 100)
        let home = try Home(stage, holding: [session])
        let daemon = try DaemonProcess.quiet(stage, home)
        let app = try BoardProcess(appOf: stage, session, at: home)
        var bytes = 0
        for file in files {
            let response = try app.response(file)
            bytes += response.count
            try Data(response).write(to: URL(filePath: "\(home.path)/page-\(file)"))
        }
        var served = Timing { ProcessUse.processorSeconds(of: [app.child.process]) }
        var read = Timing { ProcessUse.ownSeconds }
        for _ in 0..<stage.samples(100) {
            try served.add(1) { _ in
                try Stopwatch.time { for file in files { _ = try app.response(file) } }
            }
            try read.add(1) { _ in
                try files.reduce(0) { try $0 + DiskFloor.read("\(home.path)/page-\($1)") }
            }
        }
        try app.child.stop()
        try daemon.stop()
        return [
            served.line("first-page", "the app's first page, \(files.count) requests")
                .over(read.floor("reading its files")).targeting(.atMost(0.05)),
            .line("first-page-bytes", "  its bytes", .bytes, [Double(bytes)])
                .targeting(.atMost(160 * 1024)),
        ]
    }
}
