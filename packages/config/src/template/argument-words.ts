/**
 * What stands behind a command, in words. Quotes around a word, or around what follows its "=", hold it together and are
 * taken off; elsewhere a quote is an apostrophe. `[Image 1]` is one word.
 */
export function argumentWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([whole, option = "", double, single]) => {
    const quoted = double ?? single
    return quoted === undefined ? whole : option + quoted
  })
}

const WORD = /\[Image \d+\]|([^\s"'=]+=)?(?:"([^"]*)"|'([^']*)')(?=\s|$)|\S+/gi
