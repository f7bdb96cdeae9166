import Foundation
import LaptopKit
import Testing

/// The colors of a page and their contrast (WCAG 2.2, "contrast ratio").
struct Palette {
    private let luminances: [String: Double]
    private let isDark: Bool

    /// The colors by name, each such as `#14532d`.
    init(_ colours: some Sequence<(String, String)>, isDark: Bool) throws {
        self.isDark = isDark
        let pairs = try colours.map { name, text in (name, try Palette.luminance(of: text)) }
        luminances = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Returns the contrast of two colors, each such as `#14532d`.
    static func contrast(_ one: String, _ other: String) throws -> Double {
        ratio(try luminance(of: one), try luminance(of: other))
    }

    private static func ratio(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// Expects a minimum contrast of a color to others.
    func expect(_ name: String, on grounds: [String], atLeast least: Double) throws {
        for ground in grounds {
            let colors = try [name, ground].map { try #require(luminances[$0]) }
            let ratio = Palette.ratio(colors[0], colors[1])
            #expect(ratio >= least, "\(name) on \(ground), \(isDark ? "dark" : "light")")
        }
    }

    private static func luminance(of text: String) throws -> Double {
        let digits = text.filter(\.isHexDigit)
        guard digits.count == 6, let number = UInt32(digits, radix: 16) else {
            throw Failure("no colour: '\(text)'")
        }
        let parts = [16, 8, 0].map { shift -> Double in
            let part = Double(number >> UInt32(shift) & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
