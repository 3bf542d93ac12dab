import { command as commandSchema } from "../schema-tools.ts"
import { text } from "../schema-values.ts"
import type { CommandDefinition } from "./definition.ts"
import { at, checkedValues, type Defined, type Markdown, textOf } from "./markdown.ts"
import { wrongName } from "./name.ts"

const schema = commandSchema.omit({ template: true }).extend({ name: text.exactOptional() })

/** The body is the template; `name` in the front matter goes before the file's. */
export function toCommand(markdown: Markdown): Defined<CommandDefinition> {
  const { values, errors, notices } = checkedValues(markdown, schema)
  const { name = markdown.found.name, ...config } = values
  const wrong = typeof name === "string" ? wrongName(name, { isNested: true }) : undefined
  const findings = [...errors, ...(wrong === undefined ? [] : [at(["name"], wrong, markdown.locate)])]
  if (findings.length > 0) return { errors: findings, notices }
  return withTemplate(markdown, { ...config, name, template: markdown.body }, notices)
}

/** A command of Claude Code: what else its front matter says means something there alone. */
export function toClaudeCommand(markdown: Markdown): Defined<CommandDefinition> {
  const name = markdown.found.name
  const wrong = wrongName(name, { isNested: true })
  if (wrong !== undefined) return { errors: [{ message: wrong }], notices: [] }
  const description = textOf(markdown, "description")
  const config = { name, template: markdown.body, ...(description === undefined ? {} : { description }) }
  return withTemplate(markdown, config, [])
}

function withTemplate(
  { found }: Markdown,
  config: Omit<CommandDefinition, "source" | "isProject">,
  notices: Defined<CommandDefinition>["notices"],
): Defined<CommandDefinition> {
  if (config.template === "") {
    const message = "The command has no prompt. Write it below the front matter."
    return { errors: [{ message }], notices }
  }
  return { definition: { ...config, source: found.file, isProject: found.isProject }, errors: [], notices }
}
