/** Settings that a file does not name. */
export const usualSettings = { notify: "osc", theme: "auto", diff: "auto", editor: "default" } as const
