import { clip } from "@pawl/terminal-text/width"
import { clipStyled, styledWidth } from "../terminal/text-width.ts"
import { fuzzyFilter } from "../terminal/fuzzy.ts"
import type { KeyPress } from "../terminal/keys.ts"
import type { Dialog, DialogLayout, DialogLines } from "./dialog.ts"
import { editedInput, emptyInput, type LineInput } from "./line-input.ts"

/** A row of a picker. Texts hold no control characters. */
export interface PickerItem<T> {
  readonly value: T
  readonly label: string
  /** Faint text behind the label. */
  readonly detail?: string
}

/** A list to choose from. */
export interface PickList<T> {
  readonly title: string
  readonly items: readonly PickerItem<T>[]
  /** Index of the item that is selected first. Default: 0. */
  readonly selected?: number
  /** Set to keep the order of the items, and to show those that hold the words. Default: the best matches first. */
  readonly isInOrder?: boolean
  /** Called after the list is closed. */
  readonly onPick: (value: T) => void
}

export interface PickerOptions<T> extends PickList<T> {
  readonly onCancel: () => void
  /** More keys, such as `ctrl+d`, and what they do with the selected item. */
  readonly keys?: Readonly<Record<string, { readonly label: string; readonly run: (value: T) => void }>>
}

/** A list to choose from: type to filter, arrows to move, Enter to pick, Escape to cancel. */
export function createPicker<T>({
  title,
  items,
  selected = 0,
  isInOrder = false,
  onPick,
  onCancel,
  keys = {},
}: PickerOptions<T>): Dialog {
  let filter: LineInput = emptyInput
  let at = selected
  let shown = items

  function move(rows: number): void {
    at = Math.max(0, Math.min(shown.length - 1, at + rows))
  }
  function handle(key: KeyPress): void {
    const current = shown[at]
    if (key.name === "escape") return onCancel()
    if (key.name === "enter") return current ? onPick(current.value) : undefined
    const more = keys[key.name]
    if (more) return current ? more.run(current.value) : undefined
    if (key.name === "up" || key.name === "ctrl+p") return move(-1)
    if (key.name === "down" || key.name === "ctrl+n" || key.name === "ctrl+r") return move(1)
    if (key.name === "pageUp") return move(-8)
    if (key.name === "pageDown") return move(8)
    const edited = editedInput(filter, key)
    if (!edited || edited.text === filter.text) return
    filter = edited
    shown = filter.text === "" ? items : matching(filter.text)
    at = 0
  }
  function matching(text: string): readonly PickerItem<T>[] {
    if (!isInOrder) return fuzzyFilter(items, text, ({ label, detail = "" }) => `${label} ${detail}`)
    return items.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
  }
  function render({ columns, rows, theme }: DialogLayout): DialogLines {
    const room = Math.max(1, Math.min(rows - 3, 12))
    const from = Math.max(0, Math.min(at - Math.floor(room / 2), shown.length - room))
    const listed = shown.slice(from, from + room).map(({ label, detail = "" }, index) => {
      const isSelected = from + index === at
      const text = clip(label, columns - 4)
      const line = `${isSelected ? theme.accent("▸ ") : "  "}${isSelected ? theme.strong(text) : text}`
      return detail === "" ? line : clipStyled(`${line}  ${theme.faint(detail)}`, columns)
    })
    const counted = shown.length > room ? ` · ${at + 1} of ${shown.length}` : ""
    const more = Object.entries(keys)
      .map(([name, { label }]) => ` · ${name} ${label}`)
      .join("")
    const head = clipStyled(`${theme.strong(title)}${theme.faint(counted)} ${filter.text}`, columns)
    return {
      lines: [
        head,
        ...(listed.length > 0 ? listed : [theme.faint("  nothing matches")]),
        theme.faint(clip(`  enter picks · esc closes${more}`, columns)),
      ],
      caret: {
        row: 0,
        column: Math.min(columns - 1, styledWidth(`${title}${counted} ${filter.text.slice(0, filter.caret)}`)),
      },
    }
  }
  return { handle, render }
}
