import ControlSocket
import ScoreSheets
import SessionStore
import SyncProtocol

/// The calls about the people of this device.
struct PeopleCalls {
    let notes: DeviceNotes

    func register(on router: inout ControlRouter) {
        router.answer(PeopleListRequest.self) { _ in PeopleReply(notes.roster) }
        router.answerLater(PeopleAddRequest.self) { request, answer throws(ControlError) in
            let names = try Naming.newNames(request.names, beside: [])
            guard !names.isEmpty else { throw ControlError(.usage, "name somebody") }
            guard notes.roster.people.count + names.count <= Roster.most else {
                throw ControlError(
                    .refused,
                    "at most \(Roster.most) people are kept; remove somebody first"
                )
            }
            change({ $0.add(names) }, then: answer)
        }
        router.answerLater(PeopleRemoveRequest.self) { request, answer throws(ControlError) in
            let names = try people(request.names)
            change({ $0.remove(names) }, then: answer)
        }
        router.answerLater(PeopleRenameRequest.self) { request, answer throws(ControlError) in
            guard let person = try people([request.person]).first else { return }
            guard let name = try Naming.newNames([request.name], beside: []).first else { return }
            guard !notes.roster.isTaken(name, besides: person) else {
                throw ControlError(.refused, "somebody else here is called “\(name)”")
            }
            change({ $0.rename(person, to: name) }, then: answer)
        }
        router.answerLater(PeopleSelectRequest.self) { request, answer throws(ControlError) in
            var names: [String]?
            if let texts = request.names { names = try people(texts) }
            let everybody = notes.roster.listed.map(\.name)
            let isSelected = request.selected
            change(
                { [names] roster in
                    if isSelected {
                        roster.select(names ?? everybody)
                    } else {
                        roster.unselect(names)
                    }
                },
                then: answer
            )
        }
        router.answerLater(PeopleShuffleRequest.self) { _, answer throws(ControlError) in
            guard !notes.roster.selected.isEmpty else {
                throw ControlError(
                    .refused,
                    "nobody is selected; choose who plays with: scorectl people select NAME..."
                )
            }
            change(
                { roster in
                    var generator = SystemRandomNumberGenerator()
                    roster.shuffle(using: &generator)
                },
                then: answer
            )
        }
    }

    private func change(
        _ change: @escaping @Sendable (inout Roster) -> Void,
        then answer: @escaping Answer<PeopleReply>
    ) {
        notes.change(change) { answer($0.map(PeopleReply.init)) }
    }

    /// The people that texts name.
    private func people(_ texts: [String]) throws(ControlError) -> [String] {
        guard !texts.isEmpty else { throw ControlError(.usage, "name somebody") }
        let listed = notes.roster.listed
        return try texts.map { text throws(ControlError) in
            try Match(text, among: listed, \.name).only(
                of: text,
                "people",
                missing: "nobody here is called “\(text)”; new people: scorectl people add NAME",
                known: listed.map(\.name),
                precise: \.name
            ).name
        }
    }
}

extension PeopleReply {
    /// A roster as clients see it.
    fileprivate init(_ roster: Roster) {
        self.init(
            people: roster.listed.enumerated().map { place, person in
                PersonSummary(name: person.name, seat: person.isSelected ? place + 1 : nil)
            }
        )
    }
}
