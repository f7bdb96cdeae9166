// ScoreSheets
