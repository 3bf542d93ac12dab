import { renewAgent } from "../deprecated.ts"
import { permissionRules } from "../permission-rules.ts"
import { agent as agentSchema } from "../schema-agent.ts"
import { text } from "../schema-values.ts"
import type { AgentDefinition } from "./definition.ts"
import { at, checkedValues, type Defined, type Markdown } from "./markdown.ts"
import { wrongName } from "./name.ts"

const schema = agentSchema.extend({ name: text.exactOptional() })

/** Reads an agent. The body is the prompt; `name` in the front matter overrides the file name. */
export function toAgent(markdown: Markdown): Defined<AgentDefinition> {
  const { found, body, locate } = markdown
  const { values, errors, notices } = checkedValues(markdown, schema)
  const { name = found.name, ...written } = values
  const wrong = typeof name === "string" ? wrongName(name, { isNested: true }) : undefined
  const findings = [...errors, ...(wrong === undefined ? [] : [at(["name"], wrong, locate)])]
  if (findings.length > 0) return { errors: findings, notices }

  const { agent, writtenAt } = renewAgent(written)
  const { permission, ...config } = agent
  if (body !== "" && config.prompt !== undefined) {
    notices.push(
      at(["prompt"], "The prompt here does nothing: the text below is the prompt. Remove one.", locate, "key"),
    )
  }
  if (found.kind === "mode") config.mode = "primary"
  const rules = permissionRules(permission, (path) => locate(writtenAt(["permission", ...path]), "key")?.line)
  const definition: AgentDefinition = {
    ...{ name, source: found.file, isProject: found.isProject, rules, onlyTightens: false, replaces: [] },
    config: { ...config, ...(body === "" ? {} : { prompt: body }) },
  }
  return { definition, errors: [], notices }
}
