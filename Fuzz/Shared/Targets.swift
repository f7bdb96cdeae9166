import FoundationEssentials

/// All fuzz targets, each with the name of its file.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "Announcements": fuzzAnnouncements,
    "BoardRequests": fuzzBoardRequests,
    "Books": fuzzBooks,
    "Exports": fuzzExports,
    "Fields": fuzzFields,
    "Formulas": fuzzFormulas,
    "JSONScans": fuzzJSONScan,
    "NameFiles": fuzzNameFiles,
    "PeerMessages": fuzzPeerMessages,
    "PlayFiles": fuzzPlayFiles,
    "Sheets": fuzzSheets,
    "TypedTexts": fuzzTypedTexts,
    "WordFiles": fuzzWordFiles,
]

/// The target that the environment variable `FUZZ_TARGET` names.
private let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else { fatalError("no target is named \(name)") }
    return target
}()

/// The entry point of libFuzzer.
///
/// All targets are one program, because most of the time of building one goes into linking the
/// modules.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
