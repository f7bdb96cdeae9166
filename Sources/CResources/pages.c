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
    PAGE("sheet.js", sheet_js),
    PAGE("drawing.js", drawing_js),
    PAGE("panels.js", panels_js),
    PAGE("pad.js", pad_js),
    PAGE("moves.js", moves_js),
    PAGE("outbox.js", outbox_js),
    PAGE("icon.svg", icon_svg),
};

size_t resource_page_count(void) { return sizeof pages / sizeof pages[0]; }

struct resource resource_page(size_t index) { return pages[index]; }
