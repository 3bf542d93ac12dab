/**
 * Splits the arguments of a command into words. Quotes around a word, or around the value after its "=", group it and are
 * removed; elsewhere a quote is an apostrophe. `[Image 1]` is one word.
 */
export function argumentWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([whole, option = "", double, single]) => {
    const quoted = double ?? single
    return quoted === undefined ? whole : option + quoted
  })
}

const WORD = /\[Image \d+\]|([^\s"'=]+=)?(?:"([^"]*)"|'([^']*)')(?=\s|$)|\S+/gi
