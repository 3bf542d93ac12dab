const WORD = /\S+/g
/** `://user:` behind a scheme */
const USER = /[a-z\d+.-]:\/\/[^:/?#@]*:/i
/** `?password=…`, `&sslpassword=…` */
const AS_PARAMETER = /([?&][\w-]*(?:password|passwd|pwd|secret|token)=)[^\s&"'#]*/gi

/**
 * A text in which each password of a URL is replaced by `…`: for everything that is shown. Takes time by the length of the
 * text, whatever it is.
 */
export function hidePasswords(text: string): string {
  return text.replaceAll(WORD, withoutPassword).replaceAll(AS_PARAMETER, "$1…")
}

/** Up to the last @ of the word: passwords hold all kinds of characters. */
function withoutPassword(word: string): string {
  const at = word.lastIndexOf("@")
  const user = at < 0 ? null : USER.exec(word)
  const begin = user ? user.index + user[0].length : Infinity
  return begin > at ? word : `${word.slice(0, begin)}…${word.slice(at)}`
}
