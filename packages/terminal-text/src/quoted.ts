/** A word for a shell, in quotation marks where it needs them; what a terminal would obey is written out. */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (!HIDDEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return `$'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(new RegExp(HIDDEN, "gu"), escaped)}'`
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`
}
