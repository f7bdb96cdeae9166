import ScoreSheets
import SessionCRDT
import Testing

@Suite("Formulas")
struct FormulaTests {
    private func value(_ text: String, _ numbers: [String: Int64] = [:]) throws -> Int64 {
        try Formula(text).expression.value { numbers[$0.subject.description] ?? 0 }
    }

    @Test(
        "expressions are evaluated",
        arguments: [
            ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3), ("-7 / 2", -4), ("7 / -2", -4),
            ("mod(-7, 2)", 1), ("-2 - -3", 1), ("10 - 2 - 3", 5), ("min(3, 1, 2)", 1),
            ("max(3)", 3), ("abs(2 - 9)", 7), ("1 < 2 and 2 < 3", 1), ("not 1 = 2", 1),
            ("1 = 2 or 3 <> 3", 0), ("if(0, 1 / 0, 5)", 5), ("0 and 1 / 0", 0), ("1 or 1 / 0", 1),
            ("if(2 >= 2, if(1 <= 0, 1, 2), 3)", 2), ("7 ÷ 2 × 5 − 1", 14), ("1 ≤ 2", 1),
            ("IF(1, 2, 3)", 2), ("not not 5", 1),
            ("pick(2, 10, 20, 1 / 0)", 20), ("pick(1 + 2, 10, 20, 30) + 1", 31),
        ] as [(String, Int64)]
    )
    func arithmetic(text: String, expected: Int64) throws {
        #expect(try value(text) == expected)
    }

    @Test("names, which may contain dashes, are numbers")
    func names() throws {
        #expect(try value("bid - longest-road * 2", ["bid": 9, "longest-road": 3]) == 3)
        #expect(try value("6s + a1", ["6s": 12, "a1": 1]) == 13)
        let names = try Formula("suit = 'hearts' and rank(points) = 1 and x > 0").names
        let known = [
            FormulaName.word(Symbol(known: "suit"), Symbol(known: "hearts")),
            .ofAll(.rank, Symbol(known: "points")), .value(Symbol(known: "x")),
        ]
        #expect(names == known)
    }

    @Test(
        "syntax errors are reported at their position",
        arguments: [
            ("", 0, "expected a number or a name, found the end"),
            ("1 +", 3, "expected a number or a name, found the end"),
            ("1 2", 2, "expected an operator, found 2"),
            ("(1", 0, "this “(” is not closed"), ("2 * (a + (b)", 4, "this “(” is not closed"),
            ("max(1, Min(2, 3)", 0, "max(… is not closed"),
            ("1 + Most(a", 4, "Most(… is not closed"), ("a)", 1, "expected an operator, found “)”"),
            ("(a, b)", 2, "expected “)”, found “,”"),
            ("max(a b)", 6, "expected “,” or “)”, found “b”"),
            ("1 < 2 < 3", 6, "comparisons cannot be chained; join two with “and”"),
            ("sum(1)", 0, "there is no function sum"), ("if(1, 2)", 0, "if takes three parts"),
            ("total(3)", 6, "expected the name of a row, found 3"),
            ("a % b", 2, "“%” is not part of a formula"),
            ("2 Salmon", 2, "expected an operator, found “Salmon”"),
            ("wheat x crowns", 6, "found “x”"), ("(a)(b)", 3, "found “(”"),
            ("2(a)", 1, "found “(”"), ("a mod 2", 2, "found “mod”"),
            ("max(1; 2)", 5, "“;” is not part of a formula"),
            ("= a + b", 0, "expected a number or a name, found “=”"),
            ("a * 0.5", 5, "“.” is not part"), ("a * 0,5", 5, "found “,”"),
            ("most(a, b)", 6, "most takes one row"),
            ("LEAST(a + b)", 8, "LEAST takes one row"),
            ("total(a, b)", 7, "total takes one row"), ("Sum(1)", 0, "there is no function Sum"),
            ("a == b", 3, "found “=”"), ("é", 0, "“é” is not part of a formula"),
            ("sum(1, 2)", 0, "there is no function sum"),
            ("choose(1, 2)", 0, "functions: min, max, abs"),
            ("pick(1)", 0, "pick takes a number and"),
            ("a && b", 2, "“&” is not part of a formula"),
            ("if a then 1 else 2", 3, "found “a”"),
            ("1 if a else 2", 2, "found “if”"),
            ("a ? 1 : 2", 2, "“?” is not part"), ("a : 2", 2, "“:” is not part"),
            ("'a'", 0, "a number or a name"),
            ("1 \u{0}+ 2", 2, "is not part of a formula"), ("\u{1B}1", 0, "is not part"),
            ("1\u{7F}", 1, "is not part of a formula"),
            ("a = 'b", 4, "the quote does not end"), ("99999999999999999", 0, "is too large"),
        ] as [(String, Int, String)]
    )
    func flaws(text: String, offset: Int, reason: String) throws {
        let flaw = try #require(throws: FormulaFlaw.self) { try Formula(text) }
        #expect(flaw.offset == offset)
        #expect(flaw.reason.hasPrefix(reason) || flaw.reason.contains(reason), "\(flaw.reason)")
    }

    @Test("nothing overflows, nothing is too deep, and division by zero is an error")
    func bounds() throws {
        let most = Value.largestInteger
        #expect(try value("x * x * x", ["x": most]) == most)
        #expect(try value("-x - x - x", ["x": most]) == -most)
        #expect(try value("abs(-x - 1)", ["x": most]) == most)
        #expect(throws: FormulaFault.divisionByZero) { try value("1 / (x - x)", ["x": 3]) }
        #expect(throws: FormulaFault.divisionByZero) { try value("mod(1, 0)") }
        for place in [most, -most, 0, 3] {
            #expect(throws: FormulaFault.nothingToPick) { try value("pick(x, 1, 2)", ["x": place]) }
        }
        let deep = String(repeating: "(", count: 30) + "1" + String(repeating: ")", count: 30)
        #expect(throws: FormulaFlaw.self) { try Formula(deep) }
        let minuses = String(repeating: "-", count: 30) + "1"
        #expect(throws: FormulaFlaw.self) { try Formula(minuses) }
        let long = String(repeating: "1+", count: 250) + "1"
        #expect(throws: FormulaFlaw.self) { try Formula(long) }
        #expect(throws: FormulaFlaw.self) { try Formula(String(repeating: " ", count: 1001)) }
    }

    @Test(
        "formulas are described in words",
        arguments: [
            (
                "if(bid = tricks, 20 + 10 * tricks, -10 * abs(bid - tricks))",
                "20 + 10 × tricks if bid = tricks, else −10 × |bid − tricks|"
            ),
            ("(a + b) * -c", "(a + b) × −c"), ("a - (b - c)", "a − (b − c)"),
            ("max(0, 2 + par - entered)", "the greatest of 0, 2 + par − what is entered"),
            ("pick(floor + 1, 0, -1) * 2", "(number (floor + 1) of 0, −1) × 2"),
            ("suit <> 'hearts' and not a", "suit is not hearts and not a"),
            ("total(tricks) = round", "all players’ tricks together = the number of the round"),
        ]
    )
    func words(text: String, words: String) throws {
        #expect(try Formula(text).words == words)
    }
}
