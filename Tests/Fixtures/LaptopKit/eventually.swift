/// Asks again and again until it is so; how long that took. Throws when the time is over.
@discardableResult
package func eventually(
    within limit: Duration,
    _ what: @autoclosure () -> String,
    _ isSo: () throws -> Bool
) throws -> Duration {
    let start = ContinuousClock.now
    while try !isSo() {
        guard ContinuousClock.now - start < limit else {
            throw Failure("not in \(limit): \(what())")
        }
    }
    return ContinuousClock.now - start
}
