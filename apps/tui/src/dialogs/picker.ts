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
  /** More keys, such as `ctrl+d`, and what they do with the selected item after the list is closed. */
  readonly keys?: Readonly<Record<string, PickerKey<T>>>
  /** Finds more items for what is typed, such as in texts that the list does not show. */
  readonly search?: (text: string) => Promise<readonly PickerItem<T>[]>
  /** Returns lines about an item, shown while it is selected. */
  readonly preview?: (value: T) => Promise<readonly string[]>
}

export interface PickerKey<T> {
  readonly label: string
  readonly run: (value: T) => void
}

export interface PickerOptions<T> extends PickList<T> {
  readonly onCancel: () => void
  /** Called when something changed without a key. */
  readonly onChange?: () => void
}

const MAX_ROWS = 12
/** Columns that a long label leaves for the text behind it: a third of the line, and at least these. */
const MIN_DETAIL_COLUMNS = 16
const PREVIEW_ROWS = 5
const MARK_COLUMNS = 2
const GAP = 2
/** Rows of the terminal below which there is no preview. */
const MIN_PREVIEW_SCREEN = 14

/** A list to choose from: type to filter, arrows to move, Enter to pick, Escape to cancel. */
export function createPicker<T>({
  title,
  items,
  selected = 0,
  isInOrder = false,
  onPick,
  onCancel,
  ...more
}: PickerOptions<T>): Dialog {
  const { keys = {}, onChange = () => undefined } = more
  let filter: LineInput = emptyInput
  let at = selected
  let shown = items
  /** Text for which the newest search runs. */
  let searched: string | undefined
  const previews = new Map<T, readonly string[]>()

  function move(rows: number): void {
    at = Math.max(0, Math.min(shown.length - 1, at + rows))
  }
  function matches(text: string): readonly PickerItem<T>[] {
    if (text === "") return items
    if (isInOrder) return items.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    return fuzzyFilter(items, text, ({ label, detail = "" }) => `${label} ${detail}`)
  }
  /** Runs a search at a time: the next begins with what is typed by then. */
  async function search(): Promise<void> {
    if (!more.search || searched !== undefined) return
    while (filter.text !== "" && searched !== filter.text) {
      searched = filter.text
      const found = await more.search(searched).catch(() => [])
      if (searched !== filter.text) continue
      const listed = matches(searched)
      const known = new Set(listed.map(({ value }) => value))
      shown = [...listed, ...found.filter(({ value }) => !known.has(value))]
      onChange()
    }
    searched = undefined
  }
  function previewOf(value: T): readonly string[] {
    const known = previews.get(value)
    if (known || !more.preview) return known ?? []
    previews.set(value, [])
    void more.preview(value).then(
      (lines) => {
        previews.set(value, lines)
        onChange()
      },
      () => undefined,
    )
    return []
  }
  function handle(key: KeyPress): void {
    const current = shown[at]
    if (key.name === "escape") return onCancel()
    if (key.name === "enter") return current ? onPick(current.value) : undefined
    const another = keys[key.name]
    if (another) return current ? another.run(current.value) : undefined
    if (key.name === "up" || key.name === "ctrl+p") return move(-1)
    if (key.name === "down" || key.name === "ctrl+n" || key.name === "ctrl+r") return move(1)
    if (key.name === "pageUp") return move(-8)
    if (key.name === "pageDown") return move(8)
    const edited = editedInput(filter, key)
    if (!edited) return
    const isChanged = edited.text !== filter.text
    filter = edited
    if (!isChanged) return
    shown = matches(filter.text)
    at = 0
    void search()
  }
  function render({ columns, rows, theme }: DialogLayout): DialogLines {
    const current = shown[at]
    const hasPreview = more.preview !== undefined && rows >= MIN_PREVIEW_SCREEN
    const about = hasPreview && current ? previewOf(current.value).slice(-PREVIEW_ROWS) : []
    const room = Math.max(1, Math.min(rows - 3 - (hasPreview ? PREVIEW_ROWS + 1 : 0), MAX_ROWS))
    const from = Math.max(0, Math.min(at - Math.floor(room / 2), shown.length - room))
    const listed = shown.slice(from, from + room).map(({ label, detail = "" }, index) => {
      const isSelected = from + index === at
      const room = columns - MARK_COLUMNS
      const beside = detail === "" ? 0 : Math.min(styledWidth(detail), Math.max(MIN_DETAIL_COLUMNS, room / 3)) + GAP
      const text = clip(label, Math.floor(room - beside))
      const line = `${isSelected ? theme.accent("▸ ") : "  "}${isSelected ? theme.strong(text) : text}`
      return detail === "" ? line : clipStyled(`${line}  ${theme.faint(detail)}`, columns)
    })
    const counted = shown.length > room ? ` · ${at + 1} of ${shown.length}` : ""
    const hints = Object.entries(keys).map(([name, { label }]) => ` · ${name} ${label}`)
    const head = clipStyled(`${theme.strong(title)}${theme.faint(counted)} ${filter.text}`, columns)
    return {
      lines: [
        head,
        ...(listed.length > 0 ? listed : [theme.faint("  nothing matches")]),
        ...(about.length > 0 ? [""] : []),
        ...about.map((line) => theme.faint(clip(`  │ ${line}`, columns))),
        theme.faint(clip(`  enter picks · esc closes${hints.join("")}`, columns)),
      ],
      caret: {
        row: 0,
        column: Math.min(columns - 1, styledWidth(`${title}${counted} ${filter.text.slice(0, filter.caret)}`)),
      },
    }
  }
  return { handle, render }
}
