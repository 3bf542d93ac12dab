import picocolors from "picocolors"

export type Style = (text: string) => string

/** Colours by their meaning. Without colour every style gives its text back. */
export interface Theme {
  readonly strong: Style
  readonly faint: Style
  readonly good: Style
  readonly bad: Style
  readonly warn: Style
  readonly accent: Style
  readonly added: Style
  readonly removed: Style
}

export function createTheme(isColoured: boolean): Theme {
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(isColoured)
  return { strong: bold, faint: dim, good: green, bad: red, warn: yellow, accent: cyan, added: green, removed: red }
}

/**
 * `PAWL_COLOR` decides, which `--color` sets; then `FORCE_COLOR`, `CLICOLOR_FORCE`, `NO_COLOR` and `CLICOLOR`; otherwise a
 * terminal that is not dumb gets colours.
 */
export function wantsColour(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const {
    PAWL_COLOR: own,
    FORCE_COLOR: forced,
    CLICOLOR_FORCE: alsoForced,
    NO_COLOR: none,
    CLICOLOR: wanted,
  } = environment
  if (own === "always" || own === "never") return own === "always"
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  if (alsoForced && alsoForced !== "0") return true
  if (none || wanted === "0") return false
  return isTerminal && environment["TERM"] !== "dumb"
}
