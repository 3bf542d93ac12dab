import type { Theme } from "./theme.ts"

/** Characters for bars: eighths of a cell, the fullest last. */
export interface Blocks {
  /** Characters of a horizontal bar, from the left. */
  readonly lying: readonly string[]
  /** Characters of a vertical bar, from the bottom. */
  readonly standing: readonly string[]
  readonly line: string
}

/** Output settings of charts. */
export interface BarLayout {
  readonly columns: number
  readonly theme: Theme
  readonly blocks: Blocks
}

const DRAWN: Blocks = {
  lying: ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
  standing: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
  line: "─",
}
const PLAIN: Blocks = {
  lying: ["", "-", "-", "-", "=", "=", "=", "=", "#"],
  standing: [" ", ".", ".", ".", ":", ":", ":", ":", "#"],
  line: "-",
}

/** Returns the characters for the terminal's character set: ASCII unless it is UTF-8. */
export function blocksFor(environment: Readonly<Record<string, string | undefined>>): Blocks {
  const { LC_ALL, LC_CTYPE, LANG } = environment
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "")
  return locale === undefined || /utf-?8/i.test(locale) ? DRAWN : PLAIN
}

/** Renders a share of `width` cells, rounded to an eighth of a cell. A share above 0 is always visible. */
export function lyingBar({ lying }: Blocks, share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8))
  return (lying[8] ?? "").repeat(Math.floor(eighths / 8)) + (lying[eighths % 8] ?? "")
}
