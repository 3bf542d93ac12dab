import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js"

/** Returns the columns of a styled text in one line. */
export function styledWidth(text: string): number {
  return visibleWidth(text)
}

/** Cuts a styled text to at most so many columns, with `…` if something is missing. */
export function clipStyled(text: string, columns: number): string {
  return truncateToWidth(text, Math.max(columns, 0), "…")
}

/** Breaks a styled text into lines of at most so many columns. */
export function wrapStyled(text: string, columns: number): string[] {
  return wrapTextWithAnsi(text, Math.max(columns, 1)).map((line) => line.trimEnd())
}
