import ControlSocket
import ScoreSheets
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about the people of this device.
extension Daemon {
    func routePeople(_ router: inout ControlRouter) {
        on(PeopleListRequest.self, &router) { daemon, _ in daemon.peopleReply() }
        onLater(PeopleAddRequest.self, &router) { daemon, request, answer throws(ControlError) in
            let names = try daemon.newNames(request.names, beside: [])
            guard !names.isEmpty else { throw ControlError(.usage, "name somebody") }
            guard daemon.roster.people.count + names.count <= Roster.most else {
                throw ControlError(
                    .refused,
                    "at most \(Roster.most) people are kept; remove somebody first"
                )
            }
            daemon.changeRoster({ $0.add(names) }, then: answer)
        }
        onLater(PeopleRemoveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            let names = try daemon.people(request.names)
            daemon.changeRoster({ $0.remove(names) }, then: answer)
        }
        onLater(PeopleSelectRequest.self, &router) { daemon, request, answer throws(ControlError) in
            var names: [String]?
            if let texts = request.names { names = try daemon.people(texts) }
            let everybody = daemon.roster.listed.map(\.name)
            let isSelected = request.selected
            daemon.changeRoster(
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
        onLater(PeopleShuffleRequest.self, &router) { daemon, _, answer throws(ControlError) in
            guard !daemon.roster.selected.isEmpty else {
                throw ControlError(
                    .refused,
                    "nobody is selected; choose who plays with: scorectl people select NAME..."
                )
            }
            daemon.changeRoster(
                { roster in
                    var generator = SystemRandomNumberGenerator()
                    roster.shuffle(using: &generator)
                },
                then: answer
            )
        }
    }

    /// Remembers who plays, over sessions; nothing waits for it.
    func notePeople(_ names: [String]) {
        guard !names.isEmpty else { return }
        changeRoster(
            { $0.note(names) },
            then: { @Sendable [weak self] result in
                guard case .failure(let error) = result else { return }
                self?.log.write(.error, "who plays could not be noted: \(error.message)")
            }
        )
    }

    private func peopleReply() -> PeopleReply {
        PeopleReply(
            people: roster.listed.enumerated().map { place, person in
                PersonSummary(name: person.name, seat: person.isSelected ? place + 1 : nil)
            }
        )
    }

    private func changeRoster(
        _ change: @escaping @Sendable (inout Roster) -> Void,
        then answer: @escaping @Sendable (Result<PeopleReply, ControlError>) -> Void
    ) {
        store.perform(
            { store throws(StoreError) in
                try store.changePeople { people in
                    var roster = Roster(people)
                    change(&roster)
                    people = roster.people
                }
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .failure(let error):
                    answer(.failure(ControlError(.failed, "\(error)")))
                case .success(let people):
                    roster = Roster(people)
                    answer(.success(peopleReply()))
                }
            }
        )
    }

    /// The people that texts name.
    private func people(_ texts: [String]) throws(ControlError) -> [String] {
        guard !texts.isEmpty else { throw ControlError(.usage, "name somebody") }
        return try texts.map { text throws(ControlError) in
            try Match(text, among: roster.listed, \.name).only(
                of: text,
                "people",
                missing: "nobody here is called “\(text)”; new people: scorectl people add NAME",
                known: roster.listed.map(\.name),
                precise: \.name
            ).name
        }
    }
}
