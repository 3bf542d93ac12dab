import { createSheet, endBlock, type Sheet } from "./sheet.ts"
import { createPageAddresses, type PageAddresses } from "./page-address.ts"
import type { TextStyle } from "./style.ts"
import type { Cell } from "./table-text.ts"

/** The state of a page that is being converted. */
export interface Page {
  readonly style: TextStyle
  readonly addresses: PageAddresses
  /** The current output: the page, or a table's cell. */
  readonly sheet: Sheet
  readonly tables: Table[]
  /** The open preformatted text. */
  code: { text: string; language: string } | undefined
  title: string
  hasMainHeading: boolean
  endBlock(): void
  /** Starts a new sheet. The returned function ends it and returns its text. */
  openSheet(): () => string
  /** Characters written so far on all sheets. */
  length(): number
}

export interface Table {
  readonly rows: Cell[][]
  /** Set if the table is used for layout only. */
  isLayout: boolean
  /** Set if the table's cells are written as plain content. */
  readonly isFlat: boolean
}

export function createPage(url: URL, style: TextStyle): Page {
  const sheets = [createSheet(style)]
  let closedLength = 0
  // The first sheet is never removed.
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
