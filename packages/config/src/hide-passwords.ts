const WORD = /\S+/g
/** Matches `://user:` after a scheme. */
const USER = /[a-z\d+.-]:\/\/[^:/?#@]*:/i
/** Matches `?password=…` and `&sslpassword=…`. */
const AS_PARAMETER = /([?&][\w-]*(?:password|passwd|pwd|secret|token)=)[^\s&"'#]*/gi

/** Replaces each password in URLs by `…`, for all text that is shown. Takes linear time for any text. */
export function hidePasswords(text: string): string {
  return text.replaceAll(WORD, withoutPassword).replaceAll(AS_PARAMETER, "$1…")
}

/** Replaces everything up to the last @ of the word, since a password may contain any character. */
function withoutPassword(word: string): string {
  const at = word.lastIndexOf("@")
  const user = at < 0 ? null : USER.exec(word)
  const begin = user ? user.index + user[0].length : Infinity
  return begin > at ? word : `${word.slice(0, begin)}…${word.slice(at)}`
}
