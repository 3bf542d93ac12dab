import { codeBlock } from "./escape.ts"
import type { Page, Table } from "./page.ts"
import type { Mark } from "./style.ts"
import { spanOf, tableText } from "./table-text.ts"

export type Attributes = Readonly<Record<string, string>>
/** Called at the start of an element. The returned function is called at its end. */
export type OpenElement = (page: Page, attributes: Attributes, name: string) => (() => void) | undefined

/** Tables that are nested deeper are written as plain content. */
const MAX_TABLES = 3
/** Larger tables are written as plain content. */
const MAX_CELLS = 50_000

const block: OpenElement = (page) => {
  page.endBlock()
  return () => page.endBlock()
}

const complex: OpenElement = (page, attributes, name) => {
  for (const table of page.tables) table.isLayout = true
  return block(page, attributes, name)
}

const code: OpenElement = (page) => page.sheet.inline.code()

const heading: OpenElement = (page, attributes, name) => {
  const close = complex(page, attributes, name)
  const { sheet } = page
  if (name === "h1") page.hasMainHeading = true
  if (page.style.hasMarkup) sheet.heading = `${"#".repeat(Number(name.slice(1)))} `
  return () => {
    close?.()
    sheet.heading = undefined
  }
}

const list: OpenElement = (page, { start }, name) => {
  page.endBlock()
  const { lists, blocks } = page.sheet
  const first = Number.parseInt(start ?? "1", 10)
  lists.push({ isNested: lists.length > 0, next: name === "ol" ? first || 0 : undefined, isEmpty: true })
  return () => {
    page.endBlock()
    lists.pop()
    blocks.separateNext()
  }
}

const item: OpenElement = (page, { value }) => {
  page.endBlock()
  const { lists, blocks } = page.sheet
  const within = lists.at(-1)
  let marker = "- "
  if (within) {
    // In Markdown only a list that begins with 1 may follow a paragraph directly.
    if (!within.isEmpty || (within.isNested && (within.next ?? 1) === 1)) blocks.joinNext()
    within.isEmpty = false
    if (within.next !== undefined) {
      const number = Number.parseInt(value ?? "", 10) || within.next
      within.next = number + 1
      marker = `${number}. `
    }
  }
  const leave = blocks.enter(marker, " ".repeat(marker.length))
  return () => {
    page.endBlock()
    leave()
  }
}

const quote: OpenElement = (page, attributes, name) => {
  complex(page, attributes, name)
  const leave = page.sheet.blocks.enter("> ", "> ")
  return () => {
    page.endBlock()
    leave()
  }
}

const definition: OpenElement = (page) => {
  page.endBlock()
  const { blocks } = page.sheet
  blocks.joinNext()
  const leave = blocks.enter(page.style.hasMarkup ? ": " : "  ", "  ")
  return () => {
    page.endBlock()
    leave()
  }
}

const table: OpenElement = (page, { role }) => {
  page.endBlock()
  for (const outer of page.tables) outer.isLayout = true
  const isLayout = role === "presentation" || role === "none"
  const opened: Table = { rows: [], isLayout, isFlat: page.tables.length >= MAX_TABLES }
  page.tables.push(opened)
  return () => {
    page.endBlock()
    page.tables.pop()
    const rows = opened.rows.filter((row) => row.some(({ text }) => text !== ""))
    const { blocks } = page.sheet
    const cells = rows.reduce((sum, row) => sum + row.length, 0)
    const isTable = !opened.isLayout && cells > rows.length && cells <= MAX_CELLS
    if (isTable) blocks.add(tableText(rows, page.style.hasMarkup))
    else for (const { text } of rows.flat()) if (text !== "") blocks.add(text)
  }
}

const row: OpenElement = (page) => {
  page.tables.at(-1)?.rows.push([])
  return undefined
}

const cell: OpenElement = (page, attributes, name) => {
  const within = page.tables.at(-1)
  if (!within || within.isFlat) return block(page, attributes, name)
  page.endBlock()
  if (within.rows.length === 0) within.rows.push([])
  const close = page.openSheet()
  return () => {
    const text = close()
    const { colspan, rowspan } = attributes
    within.rows.at(-1)?.push({ text, isHeader: name === "th", columns: spanOf(colspan), rows: spanOf(rowspan) })
  }
}

const preformatted: OpenElement = (page, attributes, name) => {
  complex(page, attributes, name)
  page.code = { text: "", language: "" }
  return () => {
    const text = page.code?.text.replace(/^\n/, "").trimEnd() ?? ""
    const language = page.code?.language ?? ""
    page.code = undefined
    if (text !== "") page.sheet.blocks.add(page.style.hasMarkup ? codeBlock(text, language) : text)
  }
}

const link: OpenElement = (page, { href }) => {
  const address = page.addresses.absolute(href)
  return address === undefined ? undefined : page.sheet.inline.link(address)
}

const image: OpenElement = (page, { alt = "", src }) => {
  const text = alt.replace(/[[\]\s]+/g, " ").trim()
  const address = page.addresses.absolute(src)
  // An image without alternative text is decoration.
  if (text !== "") page.sheet.inline.raw(page.style.hasMarkup && address ? `![${text}](${address})` : text)
  return undefined
}

const input: OpenElement = (page, { type, checked }) => {
  if (type?.toLowerCase() !== "checkbox" || page.sheet.lists.length === 0) return undefined
  page.sheet.inline.raw(checked === undefined ? "[ ]" : "[x]")
  page.sheet.inline.text(" ")
  return undefined
}

const formula: OpenElement = (page, { alttext }) => {
  if (alttext === undefined) return undefined
  page.sheet.inline.raw(alttext.trim())
  return undefined
}

const rule: OpenElement = (page, attributes, name) => {
  complex(page, attributes, name)
  page.sheet.blocks.add("---")
  return undefined
}

const lineBreak: OpenElement = (page) => {
  page.sheet.inline.lineBreak()
  return undefined
}

const base: OpenElement = (page, { href }) => {
  if (href !== undefined) page.addresses.setBase(href)
  return undefined
}

/** Elements that are more than their text. */
export const elements: ReadonlyMap<string, OpenElement> = new Map([
  ...each(
    "address article aside body caption center details dialog div dt fieldset figcaption figure footer form header hgroup html " +
      "legend main menu optgroup option p search section summary tbody tfoot thead",
    block,
  ),
  ...each("h1 h2 h3 h4 h5 h6", heading),
  ...each("ul ol menu dir", list),
  ...each("code kbd samp tt", code),
  ...each("b strong", mark("strong")),
  ...each("em i cite dfn var", mark("emphasis")),
  ...each("del s strike", mark("deleted")),
  ...each("sup", mark("superscript")),
  ...each("sub", mark("subscript")),
  ...each("pre listing xmp plaintext", preformatted),
  ...each("td th", cell),
  ["li", item],
  ["dd", definition],
  ["blockquote", quote],
  ["table", table],
  ["tr", row],
  ["a", link],
  ["img", image],
  ["input", input],
  ["math", formula],
  ["hr", rule],
  ["br", lineBreak],
  ["base", base],
])

function mark(name: Mark): OpenElement {
  return (page) => page.sheet.inline.mark(name)
}

function each(names: string, open: OpenElement): readonly (readonly [string, OpenElement])[] {
  return names.split(" ").map((name) => [name, open])
}
