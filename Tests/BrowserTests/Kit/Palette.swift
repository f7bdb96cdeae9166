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

    /// Expects a minimum contrast of a color to others.
    func expect(_ name: String, on grounds: [String], atLeast least: Double) throws {
        for ground in grounds {
            let pair = [try #require(luminances[name]), try #require(luminances[ground])].sorted()
            let ratio = (pair[1] + 0.05) / (pair[0] + 0.05)
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
