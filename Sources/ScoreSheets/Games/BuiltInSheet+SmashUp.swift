extension BuiltInSheet {
    /// Smash Up: two factions each, points up and down, fifteen win.
    ///
    /// The factions are those of the published sets, as far as they are known here; more are added
    /// by a sheet of one's own with the game engine `smashup`.
    static let smashUp = BuiltInSheet(
        """
        {
          "id": "smash-up",
          "name": "Smash Up",
          "summary": "Two factions each at random, then bases: fifteen points win.",
          "help": "\(help)",
          "players": {"from": 2, "to": 4},
          "engine": "smashup",
          "rows": [
            {"id": "points", "label": "Points", "kind": "rounds",
             "range": {"from": -999, "to": 999},
             "help": "What somebody gains or loses, in rounds of a thousand for each turn."},
            {"id": "madness", "label": "Madness", "kind": "rounds", "range": {"from": 0, "to": 99},
             "help": "The Madness cards held at the end of each game: two of them cost a point."},
            {"id": "turn", "label": "Turn", "kind": "moves", "scores": false,
             "help": "What ended each turn: end, or replay."},
            {"id": "deal", "label": "Deal", "kind": "text", "scores": false,
             "help": "Who was dealt which factions; written by: play deal."},
            {"id": "reveal", "label": "Reveal", "kind": "text", "scores": false,
             "help": "The deal that was revealed; written by: play reveal."}
          ],
          "options": [
            {"name": "target", "kind": "integer", "range": {"from": 1, "to": 999}, "default": 15,
             "help": "The points that win at the end of a turn; those before stay as they were."}
          ],
          "target": {"option": "target"},
          "sets": [
            {"id": "core", "name": "Core Set", "chosen": true,
             "factions": ["Aliens", "Dinosaurs", "Ninjas", "Pirates", "Robots", "Tricksters",
                          "Wizards", "Zombies"]},
            {"id": "awesome-level-9000", "name": "Awesome Level 9000",
             "factions": ["Bear Cavalry", "Ghosts", "Killer Plants", "Steampunks"]},
            {"id": "obligatory-cthulhu", "name": "The Obligatory Cthulhu Set",
             "factions": ["Elder Things", "Innsmouth", "Minions of Cthulhu",
                          "Miskatonic University"]},
            {"id": "science-fiction", "name": "Science Fiction Double Feature",
             "factions": ["Cyborg Apes", "Shapeshifters", "Super Spies", "Time Travelers"]},
            {"id": "monster-smash", "name": "Monster Smash",
             "factions": ["Giant Ants", "Mad Scientists", "Vampires", "Werewolves"]},
            {"id": "pretty-pretty", "name": "Pretty Pretty",
             "factions": ["Fairies", "Kitty Cats", "Mythic Horses", "Princesses"]},
            {"id": "munchkin", "name": "Munchkin",
             "factions": ["Clerics", "Dwarves", "Elves", "Halflings", "Mages", "Orcs", "Thieves",
                          "Warriors"]},
            {"id": "its-your-fault", "name": "It's Your Fault!",
             "factions": ["Dragons", "Mythic Greeks", "Sharks", "Superheroes", "Tornados"]},
            {"id": "cease-and-desist", "name": "Cease and Desist",
             "factions": ["Astroknights", "Changerbots", "Ignobles", "Star Roamers"]},
            {"id": "what-were-we-thinking", "name": "What Were We Thinking?",
             "factions": ["Explorers", "Grannies", "Rock Stars", "Teddy Bears"]},
            {"id": "big-in-japan", "name": "Big in Japan",
             "factions": ["Itty Critters", "Kaiju", "Magical Girls", "Mega Troopers"]},
            {"id": "that-70s", "name": "That '70s Expansion",
             "factions": ["Disco Dancers", "Kung Fu Fighters", "Truckers", "Vigilantes"]},
            {"id": "oops", "name": "Oops, You Did It Again",
             "factions": ["Ancient Egyptians", "Cowboys", "Samurai", "Vikings"]},
            {"id": "bigger-geekier-box", "name": "Bigger Geekier Box",
             "factions": ["Geeks", "Smash Up All Stars"]},
            {"id": "international-incident", "name": "World Tour International Incident",
             "factions": ["Luchadors", "Mounties", "Musketeers", "Sumo Wrestlers"]},
            {"id": "culture-shock", "name": "World Tour Culture Shock",
             "factions": ["Anansi Tales", "Ancient Incas", "Grimms' Fairy Tales",
                          "Polynesian Voyagers", "Russian Fairy Tales"]}
          ]
        }
        """
    )

    private static let help = """
        Choose sets and factions: play use pretty-pretty, play without ninjas, play only core; \
        then play deal and play reveal. Points: play Ann +3, or a base with its printed points and \
        everybody's power: play base 4 2 1 Ann=10 Bob=8. End each turn: play end. Madness, at the \
        end: play madness Ann=5. Again with the same factions: play replay; with others: reset.
        """
}
