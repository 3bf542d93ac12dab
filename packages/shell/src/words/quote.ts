const PLAIN_ASCII = /^[\w./,:=@%+^-][\w./,:=@%+^~-]*$/
const PLAIN = /^(?:[\p{L}\p{N}_./,:=@%+^-][\p{L}\p{N}_./,:=@%+^~-]*|\{\}|\[|\]|!)$/u

/** The canonical form of a literal word: bare where it can be, else in single quotes. */
export function quote(value: string): string {
  return PLAIN_ASCII.test(value) || PLAIN.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** A piece of a command to name in a sentence: one line, not longer than sixty characters. */
export function excerpt(text: string): string {
  const line = text.slice(0, 500).replaceAll(/\s+/g, " ").trim()
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}
