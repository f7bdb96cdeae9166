/// Facts that several man pages list: environment variables, files, and the words of ScoreSync.
enum Reference {
    /// The programs, in the order in which a list names them.
    enum Reader: String, CaseIterable {
        case scorectl, scoresyncd
        case board = "scoresync-board"
    }

    struct Fact {
        let name: String
        let meaning: String
        /// The programs that read the variable, or use the file.
        let readers: [Reader]

        init(_ name: String, _ meaning: String, _ readers: [Reader] = [.scorectl]) {
            (self.name, self.meaning, self.readers) = (name, meaning, readers)
        }
    }

    static let variables = [
        Fact("SCORESYNC_HOME", "the state directory, as --home chooses it", Reader.allCases),
        Fact(
            "XDG_STATE_HOME",
            "the parent of the default state directory (~/.local/state)",
            Reader.allCases
        ),
        Fact(
            "XDG_RUNTIME_DIR",
            "the directory of the control socket, unless a state directory was chosen",
            Reader.allCases
        ),
        Fact("XDG_CONFIG_HOME", "the directory of systemd's user units, for 'daemon enable'"),
        Fact("TMPDIR", "the directory of the laptops of 'demo' (/tmp)"),
        Fact(
            "PATH",
            "where scoresyncd, scoresync-board and xdg-open (for the browser) are found, if they"
                + " are not next to the program that needs them",
            [.scorectl, .board]
        ),
        Fact(
            "NO_COLOR",
            "disables colours if it is not empty (no-color.org)",
            Reader.allCases
        ),
        Fact(
            "FORCE_COLOR",
            "enables colours in files and pipes, too, if it is not empty (force-color.org); comes"
                + " before NO_COLOR, and after --color",
            Reader.allCases
        ),
        Fact(
            "CLICOLOR, CLICOLOR_FORCE",
            "0 disables colours; anything but 0 enables them in files and pipes, too"
                + " (bixense.com/clicolors); both come after NO_COLOR",
            Reader.allCases
        ),
        Fact(
            "TERM",
            "'dumb', a terminal that can only print, gets what a pipe gets: no colours, no pages that"
                + " are redrawn, no keys, no pager",
            Reader.allCases
        ),
        Fact(
            "PAGER",
            "the shell command that shows pages which are longer than the terminal (less -FRX); empty"
                + " or 'cat' for none"
        ),
        Fact("LESS, LV", "options of pagers, which get FRX and -c if these are not set"),
        Fact(
            "COLUMNS, LINES",
            "the width of output that goes to no terminal (120, of help 80), and the size of a"
                + " terminal that does not report it (80 by 24)",
            Reader.allCases
        ),
        Fact(
            "LC_ALL, LC_CTYPE, LANG",
            "whether the terminal can show more than ASCII: if the first of them that is set names"
                + " UTF-8, or none is set",
            Reader.allCases
        ),
        Fact(
            "JOURNAL_STREAM",
            "set by systemd: if it names standard error, lines of the log begin with their priority"
                + " instead of time and level",
            [.scoresyncd]
        ),
        Fact(
            "NOTIFY_SOCKET",
            "set by systemd: where the daemon reports that it is ready",
            [.scoresyncd]
        ),
    ]

    static let files = [
        Fact(
            "~/.local/state/scoresync",
            "the state directory, which only its user may read: sessions, keys and settings of this"
                + " laptop",
            Reader.allCases
        ),
        Fact(
            "~/.local/state/scoresync/scoresync.db",
            "everything that was entered (SQLite), which only the daemon opens",
            [.scoresyncd]
        ),
        Fact(
            "~/.local/state/scoresync/backups",
            "copies of the database: one a week, and those before a repair or a restore",
            [.scoresyncd]
        ),
        Fact(
            "~/.local/state/scoresync/daemon.log",
            "the log of a daemon that scorectl has started; that of the service is in systemd's"
                + " journal, and 'scorectl daemon logs' prints either",
            [.scorectl, .scoresyncd]
        ),
        Fact(
            "~/.local/state/scoresync/board.json, app.json",
            "the ports and the keys in the addresses of the board and the app",
            [.board]
        ),
        Fact(
            "$XDG_RUNTIME_DIR/scoresync/control.sock",
            "the socket of the daemon; in the state directory if that was chosen",
            Reader.allCases
        ),
        Fact(
            "/usr/share/scoresync/sheet.schema.json",
            "the JSON Schema of sheets, for editors (below the prefix of the installation)"
        ),
    ]

    /// The words that messages and pages use, for people who play.
    static let words = [
        ("session", "one game that is being played or is finished, with its players and scores"),
        ("laptop, device", "one state directory with its daemon; its name is that of the host"),
        ("daemon", "scoresyncd, which runs on each laptop and keeps its sessions in sync"),
        ("member", "a laptop that has the key of a session; all of them may enter and change"),
        ("player", "someone with a column of scores; 'player me NAME' tells which one you are"),
        ("scorer, team", "who has a column; a team can be one scorer, whose partners share it"),
        ("people", "the players whom this laptop knows from other evenings"),
        ("sheet", "a game as data: rows, options, and who wins; see scoresync-sheet(5)"),
        ("row, round", "a line of the sheet; a repetition of a row, as in round.2"),
        ("cell", "a player, a row and a round: what one score is entered in"),
        ("TIME", "a number and its unit: 90s, 30m, 4h or 2d"),
        ("option of a game", "a choice such as target=50, given as --option target=50"),
        ("move", "what 'play' enters, in games that are played move by move or dart by dart"),
        ("link", "a connection of two laptops for a session; without one both go on by themselves"),
        ("synced", "a laptop that has everything that this one has"),
        ("conflict", "two different scores of one cell, written apart; 'resolve' picks one"),
        ("invite, join code", "an offer to join a session; the 15 characters that accept it"),
        ("knock, symbols", "a request to join without a code; what both screens show then"),
        ("board, app", "the page for everyone at the table; the page for the owner of the laptop"),
        ("journal", "everything that was written, with what it replaced; 'history' shows it"),
        ("export, backup", "chosen sessions in a file; a copy of everything on this laptop"),
    ]
}
