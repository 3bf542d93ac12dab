import type { Theme } from "./theme.ts"

/** What bars are made of: eighths of a cell, the fullest last. */
export interface Blocks {
  /** Of a bar that lies, from the left. */
  readonly lying: readonly string[]
  /** Of a bar that stands, from below. */
  readonly standing: readonly string[]
  readonly line: string
}

/** What bars and their figures are written on. */
export interface BarPaper {
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

/** As the terminal's character set has them: other than UTF-8 none but those of ASCII. */
export function blocksFor(environment: Readonly<Record<string, string | undefined>>): Blocks {
  const { LC_ALL, LC_CTYPE, LANG } = environment
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "")
  return locale === undefined || /utf-?8/i.test(locale) ? DRAWN : PLAIN
}

/** A bar of a share of `width` cells, to an eighth of one; something is never shown as nothing. */
export function lyingBar({ lying }: Blocks, share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8))
  return (lying[8] ?? "").repeat(Math.floor(eighths / 8)) + (lying[eighths % 8] ?? "")
}
