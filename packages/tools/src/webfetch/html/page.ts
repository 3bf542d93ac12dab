import { createSheet, endBlock, type Sheet } from "./sheet.ts"
import { createPageAddresses, type PageAddresses } from "./page-address.ts"
import type { TextStyle } from "./style.ts"
import type { Cell } from "./table-text.ts"

/** A page while it is read. */
export interface Page {
  readonly style: TextStyle
  readonly addresses: PageAddresses
  /** The one that is written on; a table's cell has its own. */
  readonly sheet: Sheet
  readonly tables: Table[]
  /** Preformatted text that is open. */
  code: { text: string; language: string } | undefined
  title: string
  hasMainHeading: boolean
  endBlock(): void
  /** Begins a sheet of its own. The returned function ends it and gives its text. */
  openSheet(): () => string
  /** Characters written so far, on all sheets. */
  length(): number
}

export interface Table {
  readonly rows: Cell[][]
  /** Whether it only arranges what stands in it. */
  isLayout: boolean
  /** Whether its cells are written on the sheet that it stands on. */
  readonly isFlat: boolean
}

export function createPage(url: URL, style: TextStyle): Page {
  const sheets = [createSheet(style)]
  let closedLength = 0
  // The first sheet is never taken away.
  const current = () => sheets.at(-1) as Sheet
  return {
    style,
    addresses: createPageAddresses(url),
    get sheet() {
      return current()
    },
    tables: [],
    code: undefined,
    title: "",
    hasMainHeading: false,
    endBlock: () => endBlock(current()),
    openSheet() {
      sheets.push(createSheet(style))
      return () => {
        endBlock(current())
        const text = current().blocks.text()
        sheets.pop()
        closedLength += text.length
        return text
      }
    },
    length: () => sheets.reduce((sum, { blocks, inline }) => sum + blocks.length + inline.length, closedLength),
  }
}
