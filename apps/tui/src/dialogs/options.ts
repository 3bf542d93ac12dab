import type { Theme } from "@pawl/terminal-text/theme"
import { clipStyled } from "../terminal/text-width.ts"
import type { KeyPress } from "../terminal/keys.ts"

/** An answer that can be picked by its number, or with the arrows and Enter. */
export interface Option {
  readonly label: string
  readonly detail?: string
  /** Marks an option of which several can be chosen. */
  readonly isChosen?: boolean
}

/** Returns the index that a key picks or moves to. */
export function optionAfter(
  key: KeyPress,
  at: number,
  options: readonly Option[],
): { readonly at: number; readonly isPicked: boolean } | undefined {
  const last = options.length - 1
  if (key.name === "up") return { at: at === 0 ? last : at - 1, isPicked: false }
  if (key.name === "down") return { at: at === last ? 0 : at + 1, isPicked: false }
  if (key.name === "enter") return { at, isPicked: true }
  const number = /^[1-9]$/.test(key.name) ? Number(key.name) - 1 : -1
  return number >= 0 && number <= last ? { at: number, isPicked: true } : undefined
}

export function optionLines(options: readonly Option[], at: number, columns: number, theme: Theme): string[] {
  return options.map(({ label, detail = "", isChosen }, index) => {
    const isSelected = index === at
    const box = isChosen === undefined ? "" : isChosen ? "[x] " : "[ ] "
    const name = `${index + 1}. ${box}${label}`
    const line = `${isSelected ? theme.accent("▸ ") : "  "}${isSelected ? theme.strong(name) : name}`
    return clipStyled(detail === "" ? line : `${line}  ${theme.faint(detail)}`, columns)
  })
}
