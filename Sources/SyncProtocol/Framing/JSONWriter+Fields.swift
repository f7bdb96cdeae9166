import JSONCoding
import SessionCRDT

/// The fields of a message, written by form; who writes them gives them sorted by name.
extension JSONWriter {
    /// A field with a text.
    mutating func field(_ name: String, _ text: String) {
        self.name(name)
        self.text(text)
    }

    /// A field with a text for people, cut to `limit` bytes.
    mutating func field(_ name: String, printable text: String, limit: Int) {
        field(name, PrintableText.cleaned(text, limit: limit))
    }

    /// A field with an id.
    mutating func field<Tag>(_ name: String, _ id: ID<Tag>) {
        self.name(name)
        self.id(id)
    }

    /// A field with a whole number; one that is too large for JSON becomes the largest that is not.
    mutating func field(_ name: String, _ number: some FixedWidthInteger & UnsignedInteger) {
        self.name(name)
        limited(UInt64(truncatingIfNeeded: number))
    }

    /// A number that may be too large for JSON: then the largest that is not.
    mutating func limited(_ number: UInt64) {
        integer(min(number, UInt64(Limits.largestInteger)))
    }

    /// A field with the protocol versions.
    mutating func field(_ name: String, _ versions: ClosedRange<Int>) {
        self.name(name)
        object { json in
            json.name("max")
            json.integer(Int64(versions.upperBound))
            json.name("min")
            json.integer(Int64(versions.lowerBound))
        }
    }

    /// A field with a version vector.
    mutating func field(_ name: String, _ vector: VersionVector) {
        self.name(name)
        array { json in
            for dot in vector.sorted {
                json.array { json in
                    json.id(dot.actor)
                    json.limited(dot.sequence)
                }
            }
        }
    }

    /// A field with texts.
    mutating func field(_ name: String, _ texts: some Sequence<String>) {
        self.name(name)
        array { json in
            for text in texts { json.text(text) }
        }
    }
}
