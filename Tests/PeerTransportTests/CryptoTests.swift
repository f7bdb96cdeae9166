import Testing

@testable import PeerTransport

@Suite("Key derivation and randomness")
struct CryptoTests {
    @Test("scrypt matches the vectors of RFC 7914, section 12")
    func vectors() throws {
        func derive(
            _ password: String,
            _ salt: String,
            _ n: Int,
            _ r: Int,
            _ p: Int
        ) throws -> String {
            let key = try Scrypt.derive(
                password: Array(password.utf8),
                salt: Array(salt.utf8),
                n: n,
                r: r,
                p: p,
                length: 64
            )
            return key.bytes.map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
        }
        #expect(
            try derive("", "", 16, 1, 1)
                == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        )
        #expect(
            try derive("password", "NaCl", 1_024, 8, 16)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        )
        #expect(
            try derive("pleaseletmein", "SodiumChloride", 16_384, 8, 1)
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        )
    }

    @Test("scrypt accepts the memory that the parameters of a join code need")
    func joinCodeParameters() throws {
        let key = try Scrypt.derive(
            password: Array("7Q2M".utf8),
            salt: [1],
            n: 1 << 17,
            r: 8,
            p: 1,
            length: 32
        )
        #expect(key.count == 32)
    }

    @Test(
        "scrypt refuses parameters out of range",
        arguments: [
            [0, 8, 1, 32], [3, 8, 1, 32], [1 << 25, 8, 1, 32], [16, 0, 1, 32], [16, 8, 0, 32],
            [16, 8, 1, 0],
        ]
    )
    func refused(parameters: [Int]) {
        #expect(throws: CryptoFailure.self) {
            try Scrypt.derive(
                password: [1],
                salt: [2],
                n: parameters[0],
                r: parameters[1],
                p: parameters[2],
                length: parameters[3]
            )
        }
    }

    @Test(
        "SHA-256 matches the examples of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func digests(message: String, digest: String) throws {
        #expect(try SHA256.hexadecimal(of: Array(message.utf8)) == digest)
        #expect(try SHA256.digest(of: Array(message.utf8)).count == 32)
    }

    @Test("SHA-256 of a million times the letter a")
    func longDigest() throws {
        #expect(
            try SHA256.hexadecimal(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test("random bytes have the wanted length and differ")
    func random() throws {
        #expect(try SecureRandom.bytes(0).isEmpty)
        let first = try SecureRandom.bytes(32)
        let second = try SecureRandom.bytes(32)
        #expect(first.count == 32)
        #expect(first != second)
        #expect(Secret(first) == Secret(first))
        #expect(Secret(first) != Secret(second))
        #expect(Secret(first) != Secret(Array(first.dropLast())))
    }

    @Test("A secret is zeroed when it is released, and its description hides it")
    func zeroed() throws {
        var left: [UInt8] = []
        do {
            let secret = Secret(
                count: 64,
                freedBy: { buffer in
                    left = Array(buffer)
                    buffer.deallocate()
                },
                filledBy: { $0.initializeMemory(as: UInt8.self, repeating: 0xC5) }
            )
            #expect(secret.bytes == [UInt8](repeating: 0xC5, count: 64))
            #expect(!"\(secret) \(String(reflecting: secret))".contains("197"))
        }
        #expect(left == [UInt8](repeating: 0, count: 64))
    }
}
