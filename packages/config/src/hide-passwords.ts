/** `scheme://user:password@`, up to the last @ of the word: passwords hold all kinds of characters. */
const IN_FRONT = /(\b[a-z][a-z\d+.-]*:\/\/[^\s:/?#@]*):\S*@/gi
/** `?password=…`, `&sslpassword=…` */
const AS_PARAMETER = /([?&][\w-]*(?:password|passwd|pwd|secret|token)=)[^\s&"'#]*/gi

/** A text in which each password of a URL is replaced by `…`: for everything that is shown. */
export function hidePasswords(text: string): string {
  return text.replaceAll(IN_FRONT, "$1:…@").replaceAll(AS_PARAMETER, "$1…")
}
