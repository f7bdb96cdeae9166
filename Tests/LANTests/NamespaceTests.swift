import Foundation
import Testing

/// The check that network tests can run where they must.
@Suite("Namespaces")
struct NamespaceTests {
    @Test(
        "A network namespace can be created for each test if the environment requires it",
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
