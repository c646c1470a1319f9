// The reader's settings: the theme, and whether keys work. The browser remembers them between visits, where it has a memory.

function remember(name, value) {
    try {
        globalThis.localStorage.setItem(`gate-${name}`, value);
    } catch {
        return;
    }
}

function recall(name) {
    try {
        return globalThis.localStorage.getItem(`gate-${name}`);
    } catch {
        return null;
    }
}

export function rememberedSettings() {
    return { theme: recall("theme") ?? "auto", keysOn: recall("keys") !== "off" };
}

export function addSettings(app) {
    app.setTheme = (theme) => {
        app.theme = theme;
        remember("theme", theme);
        document.documentElement.dataset.theme = theme;
        app.header?.update();
        app.panes?.theme();
    };
    app.setKeys = (on) => {
        app.keysOn = on;
        remember("keys", on ? "on" : "off");
    };
}
