/** Matches text behind an @ up to the next space, or in quotes. The @ must not be part of an address or of code. */
const MENTION = /(?<![\w`@./-])@(?:"([^"\n]{1,4096})"|([^\s`"@][^\s`"]{0,4095}))/g

/** Returns the mentions of a text, each once, in order. For each mention, lists the possible readings, longest first. */
export function mentionsIn(text: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, plain = ""]) => {
    return quoted === undefined ? readings(plain) : [quoted]
  })
  return found.filter((each, at) => found.findIndex(([first]) => first === each[0]) === at)
}

const MAX_READINGS = 6

/** Punctuation at the end may be part of a path, but usually it ends a sentence. */
function readings(written: string): string[] {
  const result = [written]
  for (let rest = written; /.[.,;:!?)\]}'>]$/.test(rest) && result.length < MAX_READINGS;) {
    rest = rest.slice(0, -1)
    result.push(rest)
  }
  return result
}

/** Line numbers from 1, both included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Splits a mention into a name and the lines behind it: `#L10`, `#L10-20`, `:10` or `:10-20`. A file may have that name, too. */
export function splitLines(written: string): { readonly name: string; readonly lines?: LineRange } {
  const [, name = "", first, last = first] = /^(.+?)(?:#L|:)(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(written) ?? []
  return first === undefined ? { name: written } : { name, lines: { first: Number(first), last: Number(last) } }
}
