import SyncProtocol
import Testing

@Suite("Files with names of people")
struct NameFileTests {
    private func names(_ text: String) throws(NameFileError) -> [String] {
        try NameFile.names(in: Array(text.utf8))
    }

    @Test(
        "are lists, tables with a heading, and exports",
        arguments: [
            ("Ann\nBob\r\nÄnne", ["Ann", "Bob", "Änne"]),
            ("\u{FEFF}name\nAnn\n", ["Ann"]),
            ("Ann;1\nBob;2\n", ["Ann", "Bob"]),
            ("seat\tPlayer\n1\tAnn\n2\tBob", ["Ann", "Bob"]),
            (
                "title,name\r\nx,\"Ann, the \"\"1st\"\"\"\r\nx,'=Bob\r\nx",
                ["Ann, the \"1st\"", "=Bob"]
            ),
            (" Ann \n\nann\nANN\nO'Hara\n", ["Ann", "O'Hara"]),
            ("\"Ann\nMarie\"\nBob", ["Ann\nMarie", "Bob"]),
        ]
    )
    func tables(text: String, expected: [String]) throws {
        #expect(try names(text) == expected)
    }

    @Test("An export of BG Stats has its players, without anonymous ones")
    func export() throws {
        let text = """
            {"games":[{"id":1,"name":"Azul","bggId":230802}],"players":[
              {"id":1,"name":"Ann","isAnonymous":false,"metaData":"{}","uuid":"A"},
              {"id":2,"name":"Anonymous player","isAnonymous":true},{"id":3,"name":" Bob "},{"id":4}
            ],"plays":[{"playerScores":[{"playerRefId":1,"score":"12"}],"rating":1e3}]}
            """
        #expect(try names(text) == ["Ann", "Bob"])
    }

    @Test("Other files are refused with the reason")
    func refused() throws {
        for (text, error) in [
            ("", NameFileError.noNames), ("\n \n", .noNames), ("{\"plays\":[]}", .noNames),
            ("{\"players\":7}", .noNames), ("name\n", .noNames), ("a\u{0}b", .notText),
        ] { #expect(throws: error, "\(text)") { try NameFile.names(in: Array(text.utf8)) } }
        #expect(throws: NameFileError.notText) { try NameFile.names(in: [0xFF, 0x41]) }
        for text in ["{", "{\"players\":[}", String(repeating: "{\"a\":", count: 600)] {
            #expect { try NameFile.names(in: Array(text.utf8)) } throws: { error in
                if case .damaged? = error as? NameFileError { true } else { false }
            }
        }
    }

    @Test("Size and number have limits")
    func limits() throws {
        let most = (1...NameFile.names).map { "P\($0)" }
        #expect(try names(most.joined(separator: "\n")) == most)
        let more = (most + ["One more"]).joined(separator: "\n")
        #expect(throws: NameFileError.tooMany(201)) { try NameFile.names(in: Array(more.utf8)) }
        let large = [UInt8](repeating: 0x20, count: NameFile.bytes + 1)
        #expect(throws: NameFileError.tooLarge) { try NameFile.names(in: large) }
    }
}
