import type { ListedPrompt } from "../listing/listing.ts"

/**
 * Parses the text after a command into a prompt's arguments: `name=value`, and the others by position; the last one
 * gets the rest. Quotes keep words together. Throws an error that names missing arguments.
 */
export function promptArguments(prompt: ListedPrompt, written: string): Readonly<Record<string, string>> {
  const known = prompt.arguments ?? []
  const values = Object.create(null) as Record<string, string>
  const others: string[] = []
  for (const word of words(written)) {
    const at = word.indexOf("=")
    const name = word.slice(0, at)
    if (at > 0 && known.some((argument) => argument.name === name)) values[name] = word.slice(at + 1)
    else others.push(word)
  }
  const open = known.filter(({ name }) => values[name] === undefined)
  for (const [at, { name }] of open.entries()) {
    const value = at === open.length - 1 ? others.slice(at).join(" ") : others[at]
    if (value !== undefined && value !== "") values[name] = value
  }
  const missing = known.filter(({ name, required }) => required && values[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ")
    const usage = known.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ")
    throw new Error(`The prompt "${prompt.name}" needs ${names}. Arguments: ${usage}, or name=value.`)
  }
  return values
}

function words(text: string): readonly string[] {
  const found = text.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? []
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"))
}
