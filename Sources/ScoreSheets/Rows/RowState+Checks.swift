import SessionCRDT

/// What has to hold of rounds.
extension RowState {
    /// A check of a round of a row.
    struct CheckPlace: Hashable, Comparable {
        /// The place of the row.
        let row: Int
        /// The place of the round.
        let round: Int64
        /// Which one of the row.
        let index: Int

        static func < (left: CheckPlace, right: CheckPlace) -> Bool {
            (left.row, left.round, left.index) < (right.row, right.round, right.index)
        }
    }

    /// The rounds of which something does not hold.
    var checkFlags: [Flag] {
        failedChecks.sorted { $0.key < $1.key }.map { Flag(.game, $0.value) }
    }

    /// Looks whether what has to hold of rounds does, once everybody has entered them.
    ///
    /// - Returns: whether something else does not.
    mutating func check(
        _ evaluation: RoundEvaluation,
        _ rounds: Set<Int64>,
        _ numbers: inout [SharedPlace: SharedNumbers]
    ) -> Bool {
        guard !evaluation.checks.isEmpty else { return false }
        var isOther = false
        for round in rounds {
            let isComplete = hasEverybody(in: round, of: evaluation.place)
            for (index, (check, formula)) in evaluation.checks.enumerated() {
                let place = CheckPlace(row: evaluation.place, round: round, index: index)
                let reason = isComplete ? reason(check, formula, place, &numbers) : nil
                guard failedChecks[place] != reason else { continue }
                failedChecks[place] = reason
                isOther = true
            }
        }
        return isOther
    }

    /// Why a check does not hold of a round, which everybody has entered; nil where it does.
    private mutating func reason(
        _ check: RoundCheck,
        _ formula: BoundFormula,
        _ place: CheckPlace,
        _ numbers: inout [SharedPlace: SharedNumbers]
    ) -> RuleViolation? {
        prepare(formula, place.round, &numbers)
        let (row, round) = (form.ids[place.row], UInt32(clamping: place.round))
        let known = numbers
        func meaning(_ name: FormulaReference) -> Int64 {
            switch name {
            case .round: place.round
            case .ofAll(let aggregate, let row):
                known[sharedPlace(row, place.round)]?.number(aggregate, of: .max) ?? 0
            case .entered, .before, .row, .word, .count, .extreme: 0
            }
        }
        do throws(FormulaFault) {
            guard try formula.value(meaning) == 0 else { return nil }
        } catch { return .formulaFault(error, row: row, round: round) }
        var told: Set<FormulaReference> = []
        let found = formula.names.compactMap { name -> String? in
            guard case .ofAll(let aggregate, let row) = name, told.insert(name).inserted else {
                return nil
            }
            return "\(FormulaName.ofAll(aggregate, form.ids[row]).words): \(meaning(name))"
        }
        return .roundCheck(
            check,
            of: form.rows[place.row].label(ofRound: round),
            found: found.joined(separator: ", ")
        )
    }

    /// Whether everybody who is here has entered a round, of a team one of its members.
    private func hasEverybody(in round: Int64, of place: Int) -> Bool {
        var late: Set<Int> = []
        var there: Set<Int> = []
        for (index, column) in columns.enumerated() where column.player.isPresent {
            let hasEntered = column.entered(place, by: form)[round] != nil
            if hasEntered { there.insert(teams[index]) } else { late.insert(teams[index]) }
        }
        return late.isSubset(of: there)
    }
}
