import LaptopKit
import SyncProtocol
import Testing

extension InBrowser {
    @Suite("Appearance of the app")
    struct AppLooksTests {
        /// The screens by their addresses, each with a condition that holds when it is complete.
        private static let screens = [
            ("", "$$('main .card').length > 0"), ("new", "$$('.tile').length > 40"),
            ("new/darts", "!!$('.options') && !!$('.rules dt, .rules p')"),
            ("new/smash-up", "!!$('.sets li')"),
            ("table", "!$('#sheet').hidden && !!$('#keys button')"),
            ("results", "$$('main .card').length > 0"), ("results/rounds", "!!$('.pictures svg')"),
            ("people", "!!$('main .rows li')"), ("settings", "!!$('[name=format]')"),
            ("doctor", "!!$('.checks')"),
        ]

        /// A laptop with a finished game, and one in which scores are entered.
        private func laptop() throws -> Laptop {
            let laptop = try Laptop(playing: "rounds", "Ann", "Maximiliane-Friederike", "Bob")
            for name in ["Ann", "Bob", "Maximiliane-Friederike"] {
                try laptop.run("people", "add", name)
                try laptop.run("score", name, "round.1=15")
            }
            try laptop.run("session", "finish")
            try laptop.run("session", "new", "--again")
            for score in ["12", "7", "-120"] { try laptop.run("score", "Ann", score) }
            return laptop
        }

        /// Shows each screen in turn.
        private func onScreens(of browser: Browser, _ check: (String) throws -> Void) throws {
            for (screen, isComplete) in AppLooksTests.screens {
                try browser.run("location.hash = '\(screen)';")
                let name = screen.split(separator: "/").first ?? "home"
                try browser.wait(until: "$('main').className === '\(name)' && \(isComplete)")
                try check(screen)
            }
        }

        @Test(
            "nothing is cut off or covered: from 320 pixels to 4K, and at a zoom of 200 %",
            arguments: [
                Browser.Screen(width: 320, height: 640),
                Browser.Screen(width: 1280, height: 800, zoom: 2),
                Browser.Screen(width: 3840, height: 2160),
            ]
        )
        func fit(screen size: Browser.Screen) throws {
            try Browser.onApp(of: laptop(), size) { browser in
                try onScreens(of: browser) { screen in
                    let found: [String] = try browser.read("(() => { \(Self.misfits) })()")
                    #expect(found == [], "\(screen)")
                }
                let letters: Double = try browser.read(
                    "parseFloat(getComputedStyle(document.documentElement).fontSize)"
                )
                #expect(size.width < 3840 ? letters == 17 : letters > 30)
            }
        }

        @Test("every text has enough contrast, in light and in dark", arguments: [false, true])
        func contrast(isDark: Bool) throws {
            let screen = Browser.Screen(width: 1280, height: 800, isDark: isDark)
            try Browser.onApp(of: laptop(), screen) { browser in
                try onScreens(of: browser) { screen in
                    let texts: [[String]] = try browser.read("(() => { \(Self.colors) })()")
                    #expect(texts.count > 3)
                    for text in texts {
                        let ratio = try Palette.contrast(text[0], text[1])
                        #expect(ratio >= 4.5, "\(screen): \(text)")
                    }
                }
            }
        }

        /// Returns the texts that overlap, that leave the window, or that their element cuts off,
        /// and the controls that something else covers; what scrolls is no misfit.
        private static let misfits = """
            const found = [];
            const root = document.documentElement;
            if (root.scrollWidth > innerWidth) found.push(`wide: ${root.scrollWidth}`);
            const style = (node) => getComputedStyle(node);
            const chain = (node) => (node && node !== root ? [node, ...chain(node.parentElement)] : []);
            const isFloating = (node) => chain(node).some((one) =>
              ["sticky", "fixed", "absolute"].includes(style(one).position));
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const boxes = [];
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const { parentElement: parent, data } = node;
              if (!data.trim() || !parent.checkVisibility() || parent.closest("svg, .unseen, .skip")) {
                continue;
              }
              const range = document.createRange();
              range.selectNodeContents(node);
              for (const line of range.getClientRects()) {
                const { left, right, top, bottom } = line;
                const box = { left, right, top, bottom, data };
                for (const one of chain(parent)) {
                  const { overflowX, display } = style(one);
                  if (overflowX === "visible" || display === "inline") continue;
                  const clip = one.getBoundingClientRect();
                  if (overflowX === "hidden" && (right > clip.right + 1 || left < clip.left - 1)) {
                    found.push(`cut off: ${data}`);
                  }
                  box.left = Math.max(box.left, clip.left);
                  box.right = Math.min(box.right, clip.right);
                  box.top = Math.max(box.top, clip.top);
                  box.bottom = Math.min(box.bottom, clip.bottom);
                }
                if (box.right > innerWidth + 1 || box.left < -1) found.push(`outside: ${data}`);
                const isShown = box.right > box.left && box.bottom > box.top;
                if (isShown && !isFloating(parent)) boxes.push(box);
              }
            }
            const [across, down] = [2, 4];
            boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
              if (one.left < other.right - across && other.left < one.right - across
                && one.top < other.bottom - down && other.top < one.bottom - down) {
                found.push(`overlap: ${one.data} / ${other.data}`);
              }
            }));
            for (const control of $$("a, button, input, select, summary")) {
              if (!control.checkVisibility() || control.closest(".skip, dialog")) continue;
              control.scrollIntoView({ block: "center", inline: "center" });
              const { left, top, width, height } = control.getBoundingClientRect();
              if (!width || !height) continue;
              const hit = document.elementFromPoint(left + width / 2, top + height / 2);
              if (!control.contains(hit) && !hit?.contains(control)) {
                found.push(`covered: ${control.outerHTML.slice(0, 120)} by ${hit?.outerHTML.slice(0, 60)}`);
              }
            }
            scrollTo(0, 0);
            return found;
            """

        /// Returns the color and the background of each kind of text, and an example of it.
        private static let colors = """
            const found = new Map();
            const hex = (color) => `#${color.match(/[\\d.]+/g).slice(0, 3).map((part) =>
              Math.round(part).toString(16).padStart(2, "0")).join("")}`;
            const isClear = (color) => /^rgba\\(.*, 0\\)$/.test(color);
            const ground = (node) => {
              const color = getComputedStyle(node).backgroundColor;
              return isClear(color) && node.parentElement ? ground(node.parentElement) : color;
            };
            const add = (node, text, kind) => {
              const isOff = node.closest(":disabled, [aria-disabled], svg, .unseen, .skip");
              if (isOff || !text?.trim() || !node.checkVisibility()) return;
              const pair = [hex(getComputedStyle(node, kind).color), hex(ground(node))];
              found.set(pair.join(), [...pair, text.trim()]);
            };
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              add(node.parentElement, node.data);
            }
            for (const field of $$("input, select")) {
              add(field, field.value);
              add(field, field.placeholder, "::placeholder");
            }
            return [...found.values()];
            """
    }
}
