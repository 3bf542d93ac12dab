/** Behind an @ that is no part of an address or of code, up to the next space; or in quotes. */
const MENTION = /(?<![\w`@./-])@(?:"([^"\n]{1,4096})"|([^\s`"@][^\s`"]{0,4095}))/g

/** What a text may name with @, each once, in their order: with several ways to read it, the longest first. */
export function mentionsIn(text: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, plain = ""]) => {
    return quoted === undefined ? readings(plain) : [quoted]
  })
  return found.filter((each, at) => found.findIndex(([first]) => first === each[0]) === at)
}

const MOST_READINGS = 6

/** A path may end in what ends a sentence, and mostly does not. */
function readings(written: string): string[] {
  const result = [written]
  for (let rest = written; /.[.,;:!?)\]}'>]$/.test(rest) && result.length < MOST_READINGS;) {
    rest = rest.slice(0, -1)
    result.push(rest)
  }
  return result
}
