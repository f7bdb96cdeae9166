/// A kind of thing that goes wrong, of which a history has events.
enum Trouble: CaseIterable, Hashable, Sendable {
    case partition, isolation, weather, cut, halfOpen, lie, overtake
    case kill, powerCut, stop, backUp, restore, clone, rot
    case sleep, offline, clock, move, disk, networkChange
    case finish, leave, lateJoiner, invite, type, playOn
}
