/// Stops with the message if a law does not hold; unlike `precondition`, also in optimized programs
/// with the message.
func demand(_ holds: Bool, _ message: @autoclosure () -> String = "a law does not hold") {
    if !holds { fatalError(message()) }
}
