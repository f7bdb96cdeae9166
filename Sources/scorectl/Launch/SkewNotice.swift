/// Whether this run of the program has told already that the daemon is another version.
final class SkewNotice {
    var isGiven = false
}
