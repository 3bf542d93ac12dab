import { rgbOf } from "@pawl/config/colors"
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
  /** A color of the configuration; undefined and an unknown one change nothing. */
  readonly inColor: (color: string | undefined, text: string) => string
}

export function createTheme(isColoured: boolean): Theme {
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(isColoured)
  return {
    ...{ strong: bold, faint: dim, good: green, bad: red, warn: yellow, accent: cyan, added: green, removed: red },
    inColor(color, text) {
      const rgb = isColoured && color !== undefined ? rgbOf(color) : undefined
      return rgb ? `\u001b[38;5;${paletteIndex(rgb)}m${text}\u001b[39m` : text
    },
  }
}

/** The nearest of the six shades each, which nearly every terminal has. */
function paletteIndex(rgb: readonly [number, number, number]): number {
  const [red, green, blue] = rgb.map((part) => (part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40)))
  return 16 + 36 * (red ?? 0) + 6 * (green ?? 0) + (blue ?? 0)
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
