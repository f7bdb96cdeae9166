import LaptopKit
import Testing

/// Real daemons on a real network that is made for each test.
@Suite(
    .serialized,
    .enabled(if: Lab.isPossible, "needs the right to make namespaces (root or unshare -Urn)"),
    OwnThread()
)
enum LAN {}
