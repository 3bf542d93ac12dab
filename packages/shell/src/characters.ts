/** Characters that make a command look different from what the shell gets. */
const HIDDEN: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /\0/, what: "a NUL character" },
  { pattern: /\r/, what: "a carriage return" },
  // oxlint-disable-next-line no-control-regex -- matches control characters
  { pattern: /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/, what: "a control character" },
  { pattern: /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/, what: "a character that looks like a space" },
  {
    pattern:
      /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\u{e0000}-\u{e0fff}]|\u034f|\u115f|\u1160|\u17b4|\u17b5/u,
    what: "an invisible character",
  },
  { pattern: /\p{Surrogate}/u, what: "half a character" },
]

/** Returns a sentence for each kind of hidden character. */
export function hiddenCharacters(command: string): string[] {
  return HIDDEN.flatMap(({ pattern, what }) => {
    const at = command.search(pattern)
    if (at < 0) return []
    const line = command.slice(0, at).split("\n").length
    const code = command.codePointAt(at)?.toString(16).toUpperCase().padStart(4, "0")
    return [`The command contains ${what} (U+${code}, in line ${line}).`]
  })
}
