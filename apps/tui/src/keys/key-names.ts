const NAMED = [
  ...["escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageUp", "pageDown"],
  ...["up", "down", "left", "right"],
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
]

const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at))

/** Names of keys that are no characters, and usual combinations, to compare with. */
export const KEY_NAMES: readonly string[] = [
  ...NAMED,
  ...["ctrl", "alt"].flatMap((modifier) => LETTERS.map((letter) => `${modifier}+${letter}`)),
  ...["ctrl", "alt", "shift"].flatMap((modifier) => NAMED.map((name) => `${modifier}+${name}`)),
]

const MODIFIED = /^(?:(?:ctrl|shift|alt|super)\+)+(?=.)/

/**
 * Returns true for a key as `KeyPress` names it, such as `ctrl+x`, or the same key twice, such as `escape escape`. A
 * single character without a modifier is for the prompt.
 */
export function isKeyName(written: string): boolean {
  const [name = "", again, ...others] = written.split(" ")
  if (others.length > 0 || (again !== undefined && again !== name)) return false
  const plain = name.replace(MODIFIED, "")
  return NAMED.includes(plain) || (plain !== name && /^[!-~]$/.test(plain))
}
