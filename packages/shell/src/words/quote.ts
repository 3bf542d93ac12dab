const PLAIN_ASCII = /^[\w./,:=@%+^-][\w./,:=@%+^~-]*$/
const PLAIN = /^(?:[\p{L}\p{N}_./,:=@%+^-][\p{L}\p{N}_./,:=@%+^~-]*|\{\}|\[|\]|!)$/u

/** Returns the canonical form of a literal word: unquoted if possible, otherwise in single quotes. */
export function quote(value: string): string {
  return PLAIN_ASCII.test(value) || PLAIN.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** Shortens a piece of a command for a sentence: one line of at most sixty characters. */
export function excerpt(text: string): string {
  const line = text.slice(0, 500).replaceAll(/\s+/g, " ").trim()
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}
