import type { Document } from "../document.ts"

/** A Markdown file, split into front matter and body. */
export interface FrontMatter {
  /** The text between the `---` lines; undefined if the file has no front matter. */
  readonly yaml: string | undefined
  readonly body: string
}

/** Splits a text after its front matter; undefined if the closing `---` is missing. Converts line breaks to \n. */
export function splitFrontMatter(given: string): FrontMatter | undefined {
  const text = given.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  const opening = /^---[ \t]*(?:\n|$)/.exec(text)
  if (opening === null) return { yaml: undefined, body: text.trim() }
  const rest = text.slice(opening[0].length)
  const closing = /^---[ \t]*$/m.exec(rest)
  if (closing === null) return undefined
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() }
}

/** Maximum length of front matter in characters, since the time to parse YAML grows with its length. */
const MAX_LENGTH = 16_384

/**
 * Reads the values of front matter, with positions in the whole file. If it is not valid YAML, quotes values that look
 * like text, since users write `description: Use when: it rains`.
 */
export async function readFrontMatter(yaml: string): Promise<Document> {
  if (yaml.length > MAX_LENGTH) {
    const message = `The front matter is longer than ${MAX_LENGTH} characters. Put the text below it.`
    return { value: {}, findings: [{ message, position: { line: 1, column: 1 } }] }
  }
  const { parseYaml } = await import("./yaml.ts")
  const strict = parseYaml(yaml)
  if (strict.findings.length === 0) return strict
  const lenient = withQuotedValues(yaml)
  const second = lenient === yaml ? strict : parseYaml(lenient)
  return second.findings.length === 0 ? second : strict
}

/** Quotes the values of top-level keys that look like text but are not valid YAML. */
export function withQuotedValues(yaml: string): string {
  return yaml
    .split("\n")
    .map((line) => {
      const [, key, value] = /^([\w-]+:)[ \t]+(\S.*?)[ \t]*$/.exec(line) ?? []
      return key === undefined || value === undefined || !looksLikeText(value)
        ? line
        : `${key} ${JSON.stringify(value)}`
    })
    .join("\n")
}

/** Returns true for unquoted words that contain a colon or begin with a special character of YAML. */
function looksLikeText(value: string): boolean {
  return /^[`@%!]|^\*(?![\w-]+$)/.test(value) || (/^[^"'[{|>#]/.test(value) && /:(?:\s|$)/.test(value))
}
