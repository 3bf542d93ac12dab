import type { Layer } from "@pawl/config/layer"
import { type Does, isRecord, serverEffect, shellOf, written } from "./content-effects.ts"
import { withoutUntrusted } from "./without-untrusted.ts"

/** Matches a reference of any length, because a path may contain many `./`. */
const REFERENCE = /\{(?:env|file):[^{}]*\}/g

/** Returns the effects of a project's configuration file that need trust. */
export function configEffects(layer: Layer): Does {
  const { withheld = {} } = withoutUntrusted(layer)
  const references = [...new Set(JSON.stringify(layer.config).match(REFERENCE))]
  const commands = templatesOf(layer.config).flatMap(shellOf)
  const what = [
    ...Object.keys(withheld),
    ...(references.length > 0 ? [references.length === 1 ? "a reference" : "references"] : []),
    ...(commands.length > 0 ? ["shell in commands"] : []),
  ]
  return {
    does: [
      ...Object.entries(withheld).flatMap(([key, value]) => (WORDS[key] ?? otherKey(key))(value)),
      ...references.map((reference) => `puts ${reference} into the configuration`),
      ...commands.map((command) => `runs when the command is used: ${command}`),
    ],
    what: what.join(", "),
  }
}

type Words = (value: unknown) => string[]

const WORDS: Readonly<Record<string, Words>> = {
  plugin: (value) =>
    list(value).map((plugin) => `loads the plugin ${String(Array.isArray(plugin) ? plugin[0] : plugin)}`),
  mcp: (value) => entries(value).map(([name, server]) => serverEffect(name, server)),
  provider: (value) => entries(value).map(([id, provider]) => providerEffect(id, provider)),
  enabled_providers: (value) => [`lets no other providers be used than ${list(value).map(written).join(", ")}`],
  disabled_providers: (value) => [`lets these providers not be used: ${list(value).map(written).join(", ")}`],
  formatter: (value) => programEffects(value, "runs after edits"),
  check: (value) => programEffects(value, "runs as a check"),
  shell: (value) => [`runs the model's commands with ${written(value)}`],
  sandbox: (value) => [`decides what commands may reach: ${written(value)}`],
  environment: (value) => [`gives commands your variables: ${list(value).map(written).join(", ") || written(value)}`],
  webfetch: (value) => [`lets pages be fetched from private hosts: ${written(value)}`],
  skills: (value) => [`looks for skills in other directories: ${written(value)}`],
  deadlines: (value) => [`sets how long is waited before something is given up: ${written(value)}`],
  limits: (value) => [`sets how long a run goes on, and what it may cost: ${written(value)}`],
  agent: (value) => entries(value).map(([name, agent]) => `gives the agent "${name}" more: ${written(agent)}`),
}

function otherKey(key: string): Words {
  return (value) => [`sets "${key}": ${written(value)}`]
}

function providerEffect(id: string, provider: unknown): string {
  const { npm, options, api, env, models } = isRecord(provider) ? provider : {}
  const { baseURL = api, headers, apiKey, query, proxy, ca, sdk } = isRecord(options) ? options : {}
  const ofModels = entries(models).flatMap(([name, model]) => {
    const { headers: added, options: sent } = isRecord(model) ? model : {}
    return [
      isRecord(added) ? `with the headers ${Object.keys(added).join(", ")} for ${name}` : "",
      sent === undefined ? "" : `with ${written(sent)} in each request to ${name}`,
    ]
  })
  const beside = [
    typeof proxy === "string" ? `through the proxy ${proxy}` : "",
    ca === undefined ? "" : "with certificates of its own",
    isRecord(query) ? `with the query ${Object.keys(query).join(", ")}` : "",
    Array.isArray(env) ? `with a key of ${env.map(String).join(", ")}` : "",
    typeof npm === "string" ? `with the package ${npm}` : "",
    isRecord(headers) ? `with the headers ${Object.keys(headers).join(", ")}` : "",
    apiKey === undefined ? "" : "with a key of its own",
    sdk === undefined ? "" : `with the package's own options ${written(sdk)}`,
    ...ofModels,
  ].filter((each) => each !== "")
  const where =
    typeof baseURL === "string" ? `sends what is said to ${baseURL}` : "changes how it is reached or described"
  return `provider "${id}": ${[where, ...beside].join(", ")}`
}

/** Returns the effects of a table of programs by name. */
function programEffects(value: unknown, when: string): string[] {
  if (!isRecord(value)) return [`${when}: ${written(value)}`]
  return Object.entries(value).map(([name, program]) => {
    const command = isRecord(program) ? program["command"] : program
    const words = list(command).map(written)
    if (words.length === 0) return `${when}, changed: ${name} ${written(program)}`
    const variables = isRecord(program) ? program["environment"] : undefined
    return `${when}: ${words.join(" ")}${variables === undefined ? "" : `, with the variables ${written(variables)}`}`
  })
}

function templatesOf(config: object): string[] {
  const table = "command" in config ? config.command : undefined
  return entries(table).flatMap(([, command]) => {
    const template = isRecord(command) ? command["template"] : undefined
    return typeof template === "string" ? [template] : []
  })
}

function entries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
