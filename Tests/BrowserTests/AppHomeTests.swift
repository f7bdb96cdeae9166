import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("The app's first pages")
    struct AppHomeTests {
        @Test("opens from an address that works once")
        func opens() throws {
            try Browser.onNewApp { browser, _ in
                #expect(try browser.words("main h1") == "Home")
                #expect(try browser.complaints().isEmpty)
            }
        }
    }
}
