import { PLACEHOLDER } from "./placeholder.ts"

/** Thrown if a template cannot be expanded safely. The message is for the user. */
export class TemplateError extends Error {
  override readonly name = "TemplateError"
}

/** Matches shell syntax other than plain words and quotes. Arguments cannot be inserted after it. */
const HARD = /(?<!<)<<(?!<)|\$'|\(\(|\$\(\(|\$\[|\$\{(?!\w+\})/y
const COMMENT = /#/y
/** Matches `case`, since the unbalanced parentheses of its patterns cannot be parsed safely. */
const CASE = /case(?=\s)/y

/**
 * Inserts the words for placeholders into a shell command. Quotes each word for a POSIX shell, according to its
 * context: unquoted, in double quotes or in single quotes. Throws TemplateError for a placeholder that cannot be
 * quoted: in or after a here-document, in a comment, an arithmetic or parameter expansion, `$'…'`, or a `case` in
 * parentheses.
 */
export function shellCommand(template: string, words: (placeholder: string) => readonly string[]): string {
  // The open quotes and parentheses. ")" is a subshell or a command substitution, in which quoting starts over.
  const enclosing: ('"' | ")")[] = []
  const filled: string[] = []
  let hard: string | undefined
  let isSingle = false

  for (let at = 0; at < template.length;) {
    const isPlain = !isSingle && enclosing.at(-1) !== '"'
    const placeholder = matchAt(PLACEHOLDER, template, at)
    if (placeholder !== undefined) {
      if (hard !== undefined) throw new TemplateError(refusal(template, placeholder, hard))
      const quote = isSingle ? inSingleQuotes : isPlain ? alone : inDoubleQuotes
      filled.push(words(placeholder).map(quote).join(" "))
      at += placeholder.length
      continue
    }
    const next = template.charAt(at)
    let length = 1
    if (isSingle) {
      isSingle = next !== "'"
    } else {
      hard ??= matchAt(HARD, template, at)
      if (isPlain && /^[\s;|&()<>]?$/.test(template.charAt(at - 1))) {
        hard ??= matchAt(COMMENT, template, at)
        if (enclosing.length > 0) hard ??= matchAt(CASE, template, at)
      }
      if (next === "\\" || template.startsWith("$$", at)) {
        length = 2
      } else if (template.startsWith("$(", at)) {
        enclosing.push(")")
        length = 2
      } else if (next === '"') {
        if (isPlain) enclosing.push('"')
        else enclosing.pop()
      } else if (isPlain && next === "'") {
        isSingle = true
      } else if (isPlain && next === "(") {
        enclosing.push(")")
      } else if (isPlain && next === ")") {
        enclosing.pop()
      }
    }
    filled.push(template.slice(at, at + length))
    at += length
  }
  return filled.join("")
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  const sticky = new RegExp(pattern, "y")
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}

function alone(word: string): string {
  return `'${inSingleQuotes(word)}'`
}

function inSingleQuotes(word: string): string {
  return word.replaceAll("'", String.raw`'\''`)
}

function inDoubleQuotes(word: string): string {
  return word.replaceAll(/[\\"$`]/g, String.raw`\$&`)
}

function refusal(template: string, placeholder: string, hard: string): string {
  return (
    `${placeholder} cannot be put into the command ${JSON.stringify(template)}: after ${JSON.stringify(hard)} no quotes keep an ` +
    "argument from being read as a part of the command. Move it in front of that, or call a script with it."
  )
}
