import SessionCRDT

/// A sheet that is part of the program: a file of `Games`, such as a user could write.
struct BuiltInSheet {
    /// The bytes of the file.
    let file: [UInt8]

    /// Every sheet that every device has.
    static let all: [BuiltInSheet] = [
        PackageResources.agricola_json,
        PackageResources.azul_json,
        PackageResources.badminton_json,
        PackageResources.bowling_json,
        PackageResources.canasta_json,
        PackageResources.carcassonne_json,
        PackageResources.cascadia_json,
        PackageResources.castles_of_burgundy_json,
        PackageResources.catan_json,
        PackageResources.container_json,
        PackageResources.cricket_json,
        PackageResources.darts_json,
        PackageResources.dominoes_json,
        PackageResources.doppelkopf_json,
        PackageResources.everdell_json,
        PackageResources.farkle_json,
        PackageResources.ghost_json,
        PackageResources.golf_json,
        PackageResources.hearts_json,
        PackageResources.molkky_json,
        PackageResources.oh_hell_json,
        PackageResources.petanque_json,
        PackageResources.phase_10_json,
        PackageResources.points_json,
        PackageResources.quiz_night_json,
        PackageResources.qwixx_json,
        PackageResources.reversi_json,
        PackageResources.rounds_json,
        PackageResources.rummy_json,
        PackageResources.scrabble_json,
        PackageResources.scythe_json,
        PackageResources.seven_wonders_duel_json,
        PackageResources.seven_wonders_json,
        PackageResources.six_nimmt_json,
        PackageResources.skat_json,
        PackageResources.skyjo_json,
        PackageResources.smash_up_json,
        PackageResources.spades_json,
        PackageResources.splendor_json,
        PackageResources.squash_json,
        PackageResources.table_tennis_json,
        PackageResources.tennis_json,
        PackageResources.terraforming_mars_json,
        PackageResources.tichu_json,
        PackageResources.ticket_to_ride_json,
        PackageResources.uno_json,
        PackageResources.volleyball_json,
        PackageResources.wingspan_json,
        PackageResources.wizard_json,
        PackageResources.yahtzee_json,
    ].map(BuiltInSheet.init)

    /// The id of the sheet, with which the file begins: it is known without reading the rest.
    var id: Symbol {
        let start = "{\n  \"id\": \"".utf8.count
        let bytes = file.dropFirst(start).prefix { $0 != UInt8(ascii: "\"") }
        guard let id = Symbol(String(decoding: bytes, as: UTF8.self)) else {
            preconditionFailure("a built-in sheet does not begin with its id")
        }
        return id
    }

    /// The text of the file.
    var json: String { String(decoding: file, as: UTF8.self) }

    /// The sheet; that the file is one is our own affair, and tested.
    var sheet: Sheet {
        do {
            return try Sheet(json: json)
        } catch {
            preconditionFailure("a built-in sheet is broken: \(error)")
        }
    }
}
