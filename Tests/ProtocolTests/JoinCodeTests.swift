import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

struct JoinCodeTests {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    private func failure(_ text: String) -> JoinCodeError? {
        do throws(JoinCodeError) {
            _ = try JoinCode(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test("this code has this check character, hint and secret")
    func golden() throws {
        let code = try JoinCode(parsing: "0123456789ABCDM")
        #expect(code.text == "01234-56789-ABCDM")
        #expect(code.hint == "01")
        #expect(code.secret == "23456789ABCD")
        #expect(InviteKey.password(of: code) == "23456789ABCD".bytes)
        #expect(InviteKey.salt(of: code) == "scoresync join 1:01".bytes)
        #expect(!"\(code)".contains("2345"))
    }

    @Test("the parameters of scrypt are those of the documentation")
    func cost() {
        #expect(InviteKey.cost == 131_072)
        #expect(InviteKey.blockSize == 8)
        #expect(InviteKey.parallelism == 1)
        #expect(InviteKey.keyBytes == 32)
        #expect(InviteKey.memoryBytes > 134_217_728)
    }

    @Test("a code is parsed in every spelling that people type")
    func typed() throws {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<200 {
            let code = JoinCode.random(using: &generator)
            let plain = code.text.filter { $0 != "-" }
            #expect(plain.count == JoinCode.length)
            #expect(code.text.utf8.count == 17)
            for typed in [
                code.text, plain, plain.lowercased(), " \(code.text)\n",
                plain.map(String.init).joined(separator: " "),
                String(plain.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }),
                String(plain.map { $0 == "0" ? "O" : $0 == "1" ? "I" : $0 }),
                code.text.split(separator: "-").joined(separator: "–"),
            ] {
                #expect(try JoinCode(parsing: typed) == code, "\(typed)")
            }
            #expect(code.hint == String(plain.prefix(2)))
            #expect(code.secret == String(plain.dropFirst(2).dropLast()))
        }
    }

    @Test("invalid codes are rejected with a reason")
    func refused() {
        #expect(failure("") == .wrongLength(0))
        #expect(failure("01234-56789-ABCD") == .wrongLength(14))
        #expect(failure("01234-56789-ABCDM0") == .wrongLength(16))
        #expect(failure(String(repeating: "0", count: 1_000_000)) == .wrongLength(1_000_000))
        #expect(failure("01234-56789-ABCDU") == .badCharacter("U"))
        #expect(failure("01234-56789-ABCD🎲") == .badCharacter("🎲"))
        #expect(failure("01234_56789") == .badCharacter("_"))
        #expect(failure("01234-56789-ABCDN") == .mistyped)
    }

    @Test("every wrong character is caught")
    func substitutions() {
        var generator = SeededGenerator(seed: 32)
        for _ in 0..<50 {
            let code = Array(JoinCode.random(using: &generator).text.filter { $0 != "-" })
            for place in code.indices {
                for other in JoinCodeTests.alphabet where other != code[place] {
                    var wrong = code
                    wrong[place] = other
                    #expect(failure(String(wrong)) == .mistyped)
                }
            }
        }
    }

    @Test("every swap of two neighbours is caught except that of 0 and Z")
    func transpositions() {
        var generator = SeededGenerator(seed: 33)
        var swaps = 0
        for _ in 0..<2000 {
            let code = Array(JoinCode.random(using: &generator).text.filter { $0 != "-" })
            for place in code.indices.dropLast() where code[place] != code[place + 1] {
                var wrong = code
                wrong.swapAt(place, place + 1)
                let isBlind = Set([code[place], code[place + 1]]) == ["0", "Z"]
                #expect(failure(String(wrong)) == (isBlind ? nil : .mistyped))
                swaps += 1
            }
        }
        #expect(swaps > 20_000)
    }

    @Test("random codes have every character at every position")
    func random() {
        var generator = SeededGenerator(seed: 34)
        var seen = Array(repeating: Set<Character>(), count: JoinCode.length)
        for _ in 0..<1000 {
            let code = JoinCode.random(using: &generator).text.filter { $0 != "-" }
            for (place, character) in code.enumerated() { seen[place].insert(character) }
        }
        #expect(seen.allSatisfy { $0 == Set(JoinCodeTests.alphabet) })
    }

    @Test("link identities have the text form of the handshake")
    func identities() throws {
        let session = SessionID(high: 1, low: 2)
        #expect(
            LinkIdentity.member(session).description == "m:00000000000000010000000000000002"
        )
        #expect(LinkIdentity("m:00000000000000010000000000000002") == .member(session))
        let code = try JoinCode(parsing: "0123456789ABCDM")
        #expect(LinkIdentity(code).description == "j:01")
        #expect(LinkIdentity("j:01") == .joiner(hint: "01"))
        for text in [
            "", "m", "m:", "j:", "j:0", "j:012", "j:ab", "j:0U", "x:01", "m:0123",
            "M:00000000000000010000000000000002", "j:é", "é:01", ":01",
        ] {
            #expect(LinkIdentity(text) == nil, "\(text)")
        }
    }
}
