export interface FoundLines {
  /** Index of the first line, from 0. */
  readonly index: number
  /** Names the differences that were ignored; missing if the lines match exactly. */
  readonly tolerance?: string
  /** Index of the next match; missing if it is the only match. */
  readonly next?: number
}

export interface LineFinder {
  /**
   * Returns the first match of `wanted` (not empty) at or after line `from`, or only at the end if `isAtEnd` is set.
   * Tries strict comparison first and uses the first form that matches.
   */
  find(wanted: readonly string[], from: number, isAtEnd?: boolean): FoundLines | undefined
}

interface Form {
  readonly tolerance?: string
  convert(line: string): string
}

/** From strict to tolerant. */
const forms: readonly Form[] = [
  { convert: (line) => line },
  { tolerance: "white space at the ends of lines", convert: (line) => line.trimEnd() },
  { tolerance: "white space around lines", convert: (line) => line.trim() },
  { tolerance: "typographic characters", convert: (line) => plain(line.trim()) },
]

export function createLineFinder(lines: readonly string[]): LineFinder {
  const linesByForm = new Map<Form, readonly string[]>()
  function inForm(form: Form): readonly string[] {
    const converted = linesByForm.get(form) ?? lines.map((line) => form.convert(line))
    linesByForm.set(form, converted)
    return converted
  }
  return {
    find(wanted, from, isAtEnd = false) {
      const start = isAtEnd ? Math.max(from, lines.length - wanted.length) : from
      for (const form of forms) {
        const [all, searched] = [inForm(form), wanted.map((line) => form.convert(line))]
        const index = indexOf(all, searched, start)
        if (index === undefined) continue
        const next = indexOf(all, searched, index + 1)
        const { tolerance } = form
        return { index, ...(tolerance === undefined ? {} : { tolerance }), ...(next === undefined ? {} : { next }) }
      }
      return undefined
    },
  }
}

function indexOf(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  const [first = ""] = wanted
  for (let index = lines.indexOf(first, from); index !== -1; index = lines.indexOf(first, index + 1)) {
    if (wanted.every((line, offset) => lines[index + offset] === line)) return index
  }
  return undefined
}

/** Replaces typographic dashes, quotes and spaces by ASCII, and composes accents. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u2018-\u201B]/g, "'")
    .replaceAll(/[\u201C-\u201F]/g, '"')
    .replaceAll(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ")
}
