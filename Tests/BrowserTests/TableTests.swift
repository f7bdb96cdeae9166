import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("Phones and laptops at one table")
    struct TableTests {
        @Test("two phones of a player and a laptop write one cell: all values are shown")
        func conflict() throws {
            let ann = try Laptop(playing: "rounds", "Ann")
            let bob = try ann.companionApart()
            let boards = [
                try Board(of: ann, "--lan", "--enter"), try Board(of: bob, "--lan", "--enter"),
            ]
            try Browser.open(.phone) { first in
                try Browser.open(.phone) { second in
                    try first.openPhone(of: "Ann", at: boards[0])
                    try second.openPhone(of: "Ann", at: boards[1])
                    try first.press("1", "5", "Enter")
                    try second.press("1", "2", "Enter")
                    try first.waitUntilAnswered(at: "15")
                    try second.waitUntilAnswered(at: "12")
                    try bob.run("score", "Ann", "round.1=9")
                    try second.waitUntilAnswered(at: "9")
                    try bob.run("daemon", "online")
                    for phone in [first, second] {
                        try phone.wait(until: "words('#rows .mark') === 'kitchen entered 15'")
                    }
                    try first.visit(boards[0].address)
                    try first.wait(until: "!$('#trouble').hidden")
                    let told = try first.words("#conflicts")
                    #expect(told == "Ann, Round 1: 9 by porch or 15 by kitchen")
                    // Typing it again settles it, since both values were shown.
                    try second.press("Round 1", "1", "5", "Enter")
                    try first.wait(until: "$('#trouble').hidden")
                    try second.wait(until: "!$('#rows .mark')")
                }
            }
        }
    }
}
