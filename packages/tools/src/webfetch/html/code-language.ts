const BY_PREFIX = /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#.-]+)/i
const BY_BRUSH = /(?:^|\s)brush:\s*([\w+#.-]+)/i
const NONE = new Set(["default", "none", "text", "plain", "plaintext", "nohighlight"])

/** Returns the language of a code block as common highlighters mark it; empty if it is not marked. */
export function codeLanguage(attributes: Readonly<Record<string, string>>): string {
  const classes = attributes.class ?? ""
  const named = attributes["data-lang"] ?? attributes["data-language"]
  const found = named ?? BY_PREFIX.exec(classes)?.[1] ?? BY_BRUSH.exec(classes)?.[1] ?? ""
  const language = found.toLowerCase()
  return /^[\w+#.-]{1,30}$/.test(language) && !NONE.has(language) ? language : ""
}
