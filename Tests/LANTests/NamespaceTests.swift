import Foundation
import Testing

/// Where the tests on a network must run, that they can.
@Suite("Namespaces")
struct NamespaceTests {
    @Test(
        "Where it is asked for, a network can be made for each test",
        .enabled(
            if: ProcessInfo.processInfo.environment["SCORESYNC_NEEDS_NETNS"] == "1",
            "only .ci/run asks for it"
        )
    )
    func isPossible() {
        #expect(
            Lab.isPossible,
            "no namespaces here: give the right to make them, or set SCORESYNC_ALLOW_NO_NETNS=1"
        )
    }
}
