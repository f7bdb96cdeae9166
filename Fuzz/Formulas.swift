import ScoreSheets
import SessionCRDT

/// A formula: it is rejected at a position of its text, or evaluates within the limits to a number
/// or a named error for any values of its names.
func fuzzFormulas(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let formula: Formula
    do throws(FormulaFlaw) {
        formula = try Formula(text)
    } catch {
        demand(0...text.utf8.count ~= error.offset, "a flaw outside of the text")
        demand(!error.reason.isEmpty)
        return
    }
    demand(formula.expression.size <= Formula.Limits.parts, "it is too large")
    demand(formula.names.count <= formula.expression.size)
    demand(!formula.words.isEmpty)
    demand((try? Formula(formula.text)) == formula, "it differs after a round trip")
    var draws = Draws(input.reversed())
    for _ in 0..<4 {
        let numbers = (0..<8).map { _ in
            min(max(Int64(bitPattern: draws.next()), Bounds.all.from), Bounds.all.to)
        }
        let value = try? formula.expression.value { name in
            numbers[name.subject.description.utf8.count % numbers.count]
        }
        demand(value.map { Bounds.all.contains($0) } ?? true, "a value out of bounds")
    }
}
