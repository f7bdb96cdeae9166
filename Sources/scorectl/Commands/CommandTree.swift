/// Every command of `scorectl`, in the order in which help lists them.
enum CommandTree {
    /// The commands at the top.
    static var commands: [Command] {
        [
            GamesCommands.group, SessionCommands.group, JoinCommand.command, PlayerCommands.group,
            PeopleCommands.group,
            ScoreCommands.score, ScoreCommands.clear, ScoreCommands.undo, ScoreCommands.resolve,
            PlayCommands.play, PlayCommands.reset,
            SheetCommands.show, WatchCommand.command, ChartCommand.command, BoardCommand.command,
            SheetCommands.wait,
            ScoreCommands.conflicts, ScoreCommands.history,
            StatisticsCommands.results, StatisticsCommands.leaders, StatisticsCommands.stats,
            ExportCommand.command, ImportCommand.command,
            PeerCommands.group, DaemonCommands.status, DaemonCommands.group,
            BackupCommand.command, RestoreHomeCommand.command, DoctorCommand.command,
            DemoCommand.command, CompletionsCommand.command, GeneralCommands.version,
            GeneralCommands.help,
        ]
    }
}
