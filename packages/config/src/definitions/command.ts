import { command as commandSchema } from "../schema-tools.ts"
import { text } from "../schema-values.ts"
import type { CommandDefinition } from "./definition.ts"
import { at, checkedValues, type Defined, type Markdown, textOf } from "./markdown.ts"
import { wrongName } from "./name.ts"

const schema = commandSchema.omit({ template: true }).extend({ name: text.exactOptional() })

/**
 * Reads a command. The body is the template; it may be empty, since a plugin can set the prompt. `name` in the front
 * matter overrides the file name.
 */
export function toCommand(markdown: Markdown): Defined<CommandDefinition> {
  const { values, errors, notices } = checkedValues(markdown, schema)
  const { name = markdown.found.name, ...config } = values
  const wrong = typeof name === "string" ? wrongName(name, { isNested: true }) : undefined
  const findings = [...errors, ...(wrong === undefined ? [] : [at(["name"], wrong, markdown.locate)])]
  if (findings.length > 0) return { errors: findings, notices }
  return defined(markdown, { ...config, name, template: markdown.body }, notices)
}

/** Reads a command of Claude Code. Ignores unknown keys, since they are specific to Claude Code. */
export function toClaudeCommand(markdown: Markdown): Defined<CommandDefinition> {
  const name = markdown.found.name
  const wrong = wrongName(name, { isNested: true })
  if (wrong !== undefined) return { errors: [{ message: wrong }], notices: [] }
  const description = textOf(markdown, "description")
  const config = { name, template: markdown.body, ...(description === undefined ? {} : { description }) }
  return defined(markdown, config, [])
}

function defined(
  { found }: Markdown,
  config: Omit<CommandDefinition, "source" | "isProject">,
  notices: Defined<CommandDefinition>["notices"],
): Defined<CommandDefinition> {
  return { definition: { ...config, source: found.file, isProject: found.isProject }, errors: [], notices }
}
