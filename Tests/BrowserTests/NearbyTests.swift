import LaptopKit
import Testing

extension InBrowser {
    /// Joining in the app without a code.
    @Suite("Games nearby")
    struct NearbyTests {
        /// Two laptops that hear each other, with a session on the first one.
        private func laptops() throws -> (Laptop, Laptop) {
            let port = String(try FreePort.ofDatagrams())
            let (kitchen, porch) = (try Laptop("kitchen"), try Laptop("porch"))
            for laptop in [kitchen, porch] {
                try laptop.start("--loopback", "--discovery-port", port)
            }
            try kitchen.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
            return (kitchen, porch)
        }

        @Test("One click here and one there bring two laptops to one table, with the same symbols")
        func twoClicks() throws {
            let (kitchen, porch) = try laptops()
            let (here, there) = (try App(of: kitchen), try App(of: porch))
            try Browser.open { ann in
                try ann.open(here, at: "#table")
                try ann.wait(until: "words('#sheet thead').includes('Ann')")
                try ann.press("Others in", "Let laptops in")
                try ann.wait(until: "/^(\\w{5} ?){3}$/.test(words('.invite'))")
                try Browser.open { bob in
                    try bob.open(there)
                    try bob.wait(until: "words('main').includes('Friday')")
                    // Once, although the laptop announces it in two networks.
                    #expect(try bob.read("$$('button[aria-label=\"Join Friday\"]').length === 1"))
                    try bob.click("button[aria-label='Join Friday']")
                    try bob.wait(until: "!!$('dialog .symbols')")
                    try ann.wait(until: "!!$('dialog .knock .symbols')")
                    #expect(try bob.words("dialog .symbols") == ann.words("dialog .symbols"))
                    try ann.press("Let in")
                    try bob.wait(until: "words('#dialog-title') === 'Who are you?'")
                    try bob.press("None of them")
                    try bob.wait(until: "words('#sheet thead').includes('Ann')")
                    try ann.wait(until: "!$('dialog .knock') && words('.peers').includes('porch')")
                    #expect(try ann.complaints() == [] && bob.complaints() == [])
                }
            }
        }

        @Test(
            "A knock that is taken back is shown no longer",
            arguments: ["$('dialog .actions button').click()", "location.href = 'about:blank'"]
        )
        func withdrawn(how: String) throws {
            let (kitchen, porch) = try laptops()
            try kitchen.run("session", "invite")
            let (here, there) = (try App(of: kitchen), try App(of: porch))
            try Browser.open { ann in
                try ann.open(here, at: "#table")
                try Browser.open { bob in
                    try bob.open(there)
                    try bob.wait(until: "!!$('button[aria-label=\"Join Friday\"]')")
                    try bob.click("button[aria-label='Join Friday']")
                    try ann.wait(until: "!!$('#knocks .knock')")
                    try bob.run(how)
                    try ann.wait(until: "$('#knocks').hidden")
                }
            }
        }
    }
}
