import type { Document } from "../document.ts"

/** A Markdown file in two. */
export interface FrontMatter {
  /** The text between the lines of `---`; undefined where the file has none. */
  readonly yaml: string | undefined
  readonly body: string
}

/** Splits a text after its front matter; undefined when that is never closed. Lines end in \n afterwards. */
export function splitFrontMatter(given: string): FrontMatter | undefined {
  const text = given.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  const opening = /^---[ \t]*(?:\n|$)/.exec(text)
  if (opening === null) return { yaml: undefined, body: text.trim() }
  const rest = text.slice(opening[0].length)
  const closing = /^---[ \t]*$/m.exec(rest)
  if (closing === null) return undefined
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() }
}

/** Limits the front matter, since parsing YAML takes longer the more there is. */
const MAX_LENGTH = 16_384

/**
 * Reads the values of front matter, with places in the complete file. If it is not valid YAML, reads values that may be
 * text as text: users write `description: Use when: it rains`.
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

/** Quotes the values of keys at the margin that YAML would not take as the text they look like. */
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

/** Plain words with a colon in them, or that begin with what has a meaning in YAML. */
function looksLikeText(value: string): boolean {
  return /^[`@%!]|^\*(?![\w-]+$)/.test(value) || (/^[^"'[{|>#]/.test(value) && /:(?:\s|$)/.test(value))
}
