import { createTheme, type Style, type Theme } from "@pawl/terminal-text/theme"

export type ThemeName = "dark" | "light" | "none"

/** A theme that can be replaced while parts hold it. */
export interface SwitchingTheme {
  readonly theme: Theme
  readonly use: (name: ThemeName) => void
}

export function createSwitchingTheme(name: ThemeName): SwitchingTheme {
  let current = themeOf(name)
  const style =
    (key: Exclude<keyof Theme, "inColor">): Style =>
    (text) =>
      current[key](text)
  return {
    theme: {
      ...{
        strong: style("strong"),
        faint: style("faint"),
        good: style("good"),
        bad: style("bad"),
        warn: style("warn"),
      },
      ...{ accent: style("accent"), added: style("added"), removed: style("removed") },
      inColor: (color, text) => current.inColor(color, text),
    },
    use(next) {
      current = themeOf(next)
    },
  }
}

function themeOf(name: ThemeName): Theme {
  const theme = createTheme(name !== "none")
  return name === "light" ? { ...theme, ...LIGHT } : theme
}

/** Yellow, cyan and bright green cannot be read on white. */
const LIGHT = {
  ...{ good: inPalette(28), added: inPalette(28), bad: inPalette(124), removed: inPalette(124) },
  ...{ warn: inPalette(130), accent: inPalette(25) },
}

function inPalette(index: number): Style {
  return (text) => (text === "" ? "" : `\u001B[38;5;${index}m${text}\u001B[39m`)
}

/** Returns what `COLORFGBG` says, such as `15;0`. Undefined without it. */
export function themeOfColors(colors: string | undefined): "dark" | "light" | undefined {
  const background = /;(\d+)$/.exec(colors ?? "")?.[1]
  if (background === undefined) return undefined
  return ["7", "15"].includes(background) ? "light" : "dark"
}

/** Returns the theme for the answer to a query of the background (OSC 11). Undefined for another report. */
export function themeOfReport(report: string): "dark" | "light" | undefined {
  const [, red = "", green = "", blue = ""] = /\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(report) ?? []
  if (blue === "") return undefined
  const share = (hex: string) => Number.parseInt(hex, 16) / (16 ** hex.length - 1)
  return 0.2126 * share(red) + 0.7152 * share(green) + 0.0722 * share(blue) > 0.5 ? "light" : "dark"
}
