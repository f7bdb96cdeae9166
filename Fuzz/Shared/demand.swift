/// Stops with the message where a law does not hold; unlike `precondition` it says so in optimised
/// programs too.
func demand(_ holds: Bool, _ message: @autoclosure () -> String = "a law does not hold") {
    if !holds { fatalError(message()) }
}
