const BY_PREFIX = /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#.-]+)/i
const BY_BRUSH = /(?:^|\s)brush:\s*([\w+#.-]+)/i
const NONE = new Set(["default", "none", "text", "plain", "plaintext", "nohighlight"])

/** The language of a code block as the usual highlighters note it on an element; empty where they do not. */
export function codeLanguage(attributes: Readonly<Record<string, string>>): string {
  const classes = attributes.class ?? ""
  const named = attributes["data-lang"] ?? attributes["data-language"]
  const found = named ?? BY_PREFIX.exec(classes)?.[1] ?? BY_BRUSH.exec(classes)?.[1] ?? ""
  const language = found.toLowerCase()
  return /^[\w+#.-]{1,30}$/.test(language) && !NONE.has(language) ? language : ""
}
