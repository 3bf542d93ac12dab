import { command as commandSchema } from "../schema-tools.ts"
import { text } from "../schema-values.ts"
import type { CommandDefinition } from "./definition.ts"
import { at, checkedValues, type Defined, type Markdown, textOf } from "./markdown.ts"
import { wrongName } from "./name.ts"

const schema = commandSchema.omit({ template: true }).extend({ name: text.exactOptional() })

/** The body is the template, which may be empty: a plugin can make the prompt. `name` in the front matter goes before the file's. */
export function toCommand(markdown: Markdown): Defined<CommandDefinition> {
  const { values, errors, notices } = checkedValues(markdown, schema)
  const { name = markdown.found.name, ...config } = values
  const wrong = typeof name === "string" ? wrongName(name, { isNested: true }) : undefined
  const findings = [...errors, ...(wrong === undefined ? [] : [at(["name"], wrong, markdown.locate)])]
  if (findings.length > 0) return { errors: findings, notices }
  return defined(markdown, { ...config, name, template: markdown.body }, notices)
}

/** A command of Claude Code: what else its front matter says means something there alone. */
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
