#include "CResources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../scoresync-board/Page/index.html"
};
static const unsigned char phone_html[] = {
#embed "../scoresync-board/Page/phone.html"
};
static const unsigned char page_css[] = {
#embed "../scoresync-board/Page/page.css"
};
static const unsigned char board_css[] = {
#embed "../scoresync-board/Page/board.css"
};
static const unsigned char phone_css[] = {
#embed "../scoresync-board/Page/phone.css"
};
static const unsigned char board_js[] = {
#embed "../scoresync-board/Page/board.js"
};
static const unsigned char phone_js[] = {
#embed "../scoresync-board/Page/phone.js"
};
static const unsigned char page_js[] = {
#embed "../scoresync-board/Page/page.js"
};
static const unsigned char stream_js[] = {
#embed "../scoresync-board/Page/stream.js"
};
static const unsigned char sheet_js[] = {
#embed "../scoresync-board/Page/sheet.js"
};
static const unsigned char drawing_js[] = {
#embed "../scoresync-board/Page/drawing.js"
};
static const unsigned char panels_js[] = {
#embed "../scoresync-board/Page/panels.js"
};
static const unsigned char pad_js[] = {
#embed "../scoresync-board/Page/pad.js"
};
static const unsigned char moves_js[] = {
#embed "../scoresync-board/Page/moves.js"
};
static const unsigned char outbox_js[] = {
#embed "../scoresync-board/Page/outbox.js"
};
static const unsigned char app_html[] = {
#embed "../scoresync-board/Page/app.html"
};
static const unsigned char join_html[] = {
#embed "../scoresync-board/Page/join.html"
};
static const unsigned char help_css[] = {
#embed "../scoresync-board/Page/help.css"
};
static const unsigned char app_css[] = {
#embed "../scoresync-board/Page/app.css"
};
static const unsigned char app_js[] = {
#embed "../scoresync-board/Page/app.js"
};
static const unsigned char calls_js[] = {
#embed "../scoresync-board/Page/calls.js"
};
static const unsigned char join_js[] = {
#embed "../scoresync-board/Page/join.js"
};
static const unsigned char home_js[] = {
#embed "../scoresync-board/Page/home.js"
};
static const unsigned char new_game_js[] = {
#embed "../scoresync-board/Page/new-game.js"
};
static const unsigned char table_js[] = {
#embed "../scoresync-board/Page/table.js"
};
static const unsigned char table_sheet_js[] = {
#embed "../scoresync-board/Page/table-sheet.js"
};
static const unsigned char table_entry_js[] = {
#embed "../scoresync-board/Page/table-entry.js"
};
static const unsigned char table_dialogs_js[] = {
#embed "../scoresync-board/Page/table-dialogs.js"
};
static const unsigned char table_players_js[] = {
#embed "../scoresync-board/Page/table-players.js"
};
static const unsigned char nearby_js[] = {
#embed "../scoresync-board/Page/nearby.js"
};
static const unsigned char others_js[] = {
#embed "../scoresync-board/Page/others.js"
};
static const unsigned char turns_js[] = {
#embed "../scoresync-board/Page/turns.js"
};
static const unsigned char table_css[] = {
#embed "../scoresync-board/Page/table.css"
};
static const unsigned char results_js[] = {
#embed "../scoresync-board/Page/results.js"
};
static const unsigned char people_js[] = {
#embed "../scoresync-board/Page/people.js"
};
static const unsigned char settings_js[] = {
#embed "../scoresync-board/Page/settings.js"
};
static const unsigned char doctor_js[] = {
#embed "../scoresync-board/Page/doctor.js"
};
static const unsigned char lineup_js[] = {
#embed "../scoresync-board/Page/lineup.js"
};
static const unsigned char options_js[] = {
#embed "../scoresync-board/Page/options.js"
};
static const unsigned char start_css[] = {
#embed "../scoresync-board/Page/start.css"
};
static const unsigned char files_js[] = {
#embed "../scoresync-board/Page/files.js"
};
static const unsigned char after_css[] = {
#embed "../scoresync-board/Page/after.css"
};
static const unsigned char awake_js[] = {
#embed "../scoresync-board/Page/awake.js"
};
static const unsigned char sessions_js[] = {
#embed "../scoresync-board/Page/sessions.js"
};
static const unsigned char clock_js[] = {
#embed "../scoresync-board/Page/clock.js"
};
static const unsigned char caller_js[] = {
#embed "../scoresync-board/Page/caller.js"
};
static const unsigned char kept_js[] = {
#embed "../scoresync-board/Page/kept.js"
};
static const unsigned char rounds_js[] = {
#embed "../scoresync-board/Page/rounds.js"
};
static const unsigned char changes_js[] = {
#embed "../scoresync-board/Page/changes.js"
};
static const unsigned char chart_js[] = {
#embed "../scoresync-board/Page/chart.js"
};
static const unsigned char laptops_js[] = {
#embed "../scoresync-board/Page/laptops.js"
};
static const unsigned char screen_css[] = {
#embed "../scoresync-board/Page/screen.css"
};
static const unsigned char icon_svg[] = {
#embed "../scoresync-board/Page/icon.svg"
};

#define PAGE(name, bytes) {name, bytes, sizeof bytes}

static const struct resource pages[] = {
    PAGE("index.html", index_html),
    PAGE("phone.html", phone_html),
    PAGE("page.css", page_css),
    PAGE("board.css", board_css),
    PAGE("phone.css", phone_css),
    PAGE("board.js", board_js),
    PAGE("phone.js", phone_js),
    PAGE("page.js", page_js),
    PAGE("stream.js", stream_js),
    PAGE("sheet.js", sheet_js),
    PAGE("drawing.js", drawing_js),
    PAGE("panels.js", panels_js),
    PAGE("pad.js", pad_js),
    PAGE("moves.js", moves_js),
    PAGE("outbox.js", outbox_js),
    PAGE("app.html", app_html),
    PAGE("join.html", join_html),
    PAGE("help.css", help_css),
    PAGE("app.css", app_css),
    PAGE("app.js", app_js),
    PAGE("calls.js", calls_js),
    PAGE("join.js", join_js),
    PAGE("home.js", home_js),
    PAGE("new-game.js", new_game_js),
    PAGE("table.js", table_js),
    PAGE("table-sheet.js", table_sheet_js),
    PAGE("table-entry.js", table_entry_js),
    PAGE("table-dialogs.js", table_dialogs_js),
    PAGE("table-players.js", table_players_js),
    PAGE("nearby.js", nearby_js),
    PAGE("others.js", others_js),
    PAGE("turns.js", turns_js),
    PAGE("table.css", table_css),
    PAGE("results.js", results_js),
    PAGE("people.js", people_js),
    PAGE("settings.js", settings_js),
    PAGE("doctor.js", doctor_js),
    PAGE("lineup.js", lineup_js),
    PAGE("options.js", options_js),
    PAGE("start.css", start_css),
    PAGE("files.js", files_js),
    PAGE("after.css", after_css),
    PAGE("awake.js", awake_js),
    PAGE("sessions.js", sessions_js),
    PAGE("clock.js", clock_js),
    PAGE("caller.js", caller_js),
    PAGE("kept.js", kept_js),
    PAGE("rounds.js", rounds_js),
    PAGE("changes.js", changes_js),
    PAGE("chart.js", chart_js),
    PAGE("laptops.js", laptops_js),
    PAGE("screen.css", screen_css),
    PAGE("icon.svg", icon_svg),
};

size_t resource_page_count(void) { return sizeof pages / sizeof pages[0]; }

struct resource resource_page(size_t index) { return pages[index]; }
