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
        /// Whose round it is, by column; nil of the whole table.
        let column: Int?

        static func < (left: CheckPlace, right: CheckPlace) -> Bool {
            (left.row, left.round, left.index, left.column ?? -1)
                < (right.row, right.round, right.index, right.column ?? -1)
        }
    }

    /// The rounds of which something does not hold.
    var checkFlags: [Flag] {
        failedChecks.sorted { $0.key < $1.key }.map { Flag(.game, $0.value) }
    }

    /// Looks whether what has to hold of these entries does: of the table once everybody has
    /// entered the round, of each player once that one has.
    ///
    /// - Returns: whether something else does not.
    mutating func check(
        _ evaluation: RoundEvaluation,
        _ entries: Set<Entry>,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ book: Book
    ) -> Bool {
        let common = evaluation.checks.filter { !$0.check.isOfEach }
        let sizes = common.isEmpty ? [] : teamSizes
        var isOther = false
        for round in common.isEmpty ? [] : Set(entries.map(\.round)) {
            let isComplete = hasEverybody(in: round, of: evaluation.place, sizes)
            for check in common {
                // Names of one player stand for nothing here.
                let entry = Entry(column: .max, round: round)
                let reason =
                    isComplete ? reason(check, entry, evaluation.place, &numbers, book) : nil
                if note(reason, check, of: nil, round, evaluation.place) { isOther = true }
            }
        }
        for check in evaluation.checks where check.check.isOfEach {
            for entry in entries {
                let column = columns[entry.column]
                let isThere =
                    column.player.isPresent
                    && column.entered(evaluation.place, by: form)[entry.round] != nil
                let reason = isThere ? reason(check, entry, evaluation.place, &numbers, book) : nil
                if note(reason, check, of: entry.column, entry.round, evaluation.place) {
                    isOther = true
                }
            }
        }
        return isOther
    }

    /// Notes why a check does not hold; nil where it does.
    ///
    /// - Returns: whether that is something else.
    private mutating func note(
        _ reason: RuleViolation?,
        _ check: RoundEvaluation.Check,
        of column: Int?,
        _ round: Int64,
        _ row: Int
    ) -> Bool {
        let place = CheckPlace(row: row, round: round, index: check.index, column: column)
        guard failedChecks[place] != reason else { return false }
        failedChecks[place] = reason
        return true
    }

    /// Why a check does not hold of a round; nil where it does.
    private mutating func reason(
        _ check: RoundEvaluation.Check,
        _ entry: Entry,
        _ place: Int,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ book: Book
    ) -> RuleViolation? {
        prepare(check.formula, entry.round, &numbers)
        let known = numbers
        let entered = entered(entry, place)
        func meaning(_ name: FormulaReference) -> Int64 {
            self.meaning(of: name, in: entry, at: place, entered: entered, known, book)
        }
        let round = UInt32(clamping: entry.round)
        do throws(FormulaFault) {
            guard try check.formula.value(meaning) == 0 else { return nil }
        } catch { return .formulaFault(error, row: form.ids[place], round: round) }
        var told: Set<FormulaReference> = []
        let found = check.formula.names.compactMap { name -> String? in
            guard case .ofAll(let aggregate, let row) = name, told.insert(name).inserted else {
                return nil
            }
            return "\(FormulaName.ofAll(aggregate, form.ids[row]).words): \(meaning(name))"
        }
        let label = form.rows[place].label(ofRound: round)
        let whose = check.check.isOfEach ? columns[entry.column].player.name + ", " : ""
        return .roundCheck(check.check, of: whose + label, found: found.joined(separator: ", "))
    }

    /// How many of each team are here, by the column of its first player.
    private var teamSizes: [Int] {
        columns.indices.reduce(into: Array(repeating: 0, count: columns.count)) { sizes, index in
            if columns[index].player.isPresent { sizes[teams[index]] += 1 }
        }
    }

    /// Whether everybody who is here has entered a round, of a team one of its members.
    private func hasEverybody(in round: Int64, of place: Int, _ sizes: [Int]) -> Bool {
        var late: Set<Int> = []
        var there: Set<Int> = []
        for (index, column) in columns.enumerated() where column.player.isPresent {
            let hasEntered = column.entered(place, by: form)[round] != nil
            let isAlone = sizes[teams[index]] == 1
            if isAlone, !hasEntered { return false }
            guard !isAlone else { continue }
            if hasEntered { there.insert(teams[index]) } else { late.insert(teams[index]) }
        }
        return late.isSubset(of: there)
    }
}
