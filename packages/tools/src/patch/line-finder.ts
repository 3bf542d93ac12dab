export interface FoundLines {
  /** Of the first line, from 0. */
  readonly index: number
  /** What had to be passed over for them to match; absent: nothing. */
  readonly tolerance?: string
  /** Where they stand once more below; absent: nowhere. */
  readonly next?: number
}

export interface LineFinder {
  /**
   * The first place from line `from` on where `wanted`, which is not empty, stands, or at the very end; the strictest way to compare that finds
   * any decides. Undefined where there is none.
   */
  find(wanted: readonly string[], from: number, isAtEnd?: boolean): FoundLines | undefined
}

interface Form {
  readonly tolerance?: string
  of(line: string): string
}

/** From strict to loose. */
const forms: readonly Form[] = [
  { of: (line) => line },
  { tolerance: "white space at the ends of lines", of: (line) => line.trimEnd() },
  { tolerance: "white space around lines", of: (line) => line.trim() },
  { tolerance: "typographic characters", of: (line) => plain(line.trim()) },
]

export function createLineFinder(lines: readonly string[]): LineFinder {
  const made = new Map<Form, readonly string[]>()
  function inForm(form: Form): readonly string[] {
    const known = made.get(form) ?? lines.map((line) => form.of(line))
    made.set(form, known)
    return known
  }
  return {
    find(wanted, from, isAtEnd = false) {
      const start = isAtEnd ? Math.max(from, lines.length - wanted.length) : from
      for (const form of forms) {
        const [all, looked] = [inForm(form), wanted.map((line) => form.of(line))]
        const index = indexOf(all, looked, start)
        if (index === undefined) continue
        const next = indexOf(all, looked, index + 1)
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

/** Dashes, quotes and spaces as a keyboard has them, accents as a part of their letter. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u2018-\u201B]/g, "'")
    .replaceAll(/[\u201C-\u201F]/g, '"')
    .replaceAll(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ")
}
