import { isFor } from "@pawl/core"
import type { BuiltinToolsOptions } from "@pawl/tools"
import { allAgents } from "./agents.ts"
import { allowedHosts } from "./allow-private.ts"
import type { DefinedSettings } from "./definitions.ts"

/** Returns the options of the built-in tools from the configuration. */
export function toolOptions({
  config,
  definitions,
}: Pick<DefinedSettings, "config" | "definitions">): Pick<
  BuiltinToolsOptions,
  "agents" | "afterEdit" | "allowPrivate" | "skills"
> {
  const agents = [...allAgents(config.agent).values()].filter((agent) => isFor(agent, "agent"))
  const allowed = config.webfetch?.allow ?? []
  return {
    agents: agents.map(({ name, description }) => ({ name, description })),
    skills: definitions.skills.map(({ name, description, source, content }) => {
      return { name, description, file: source, content }
    }),
    afterEdit: { formatters: formatters(config.formatter), checks: checks(config.check) },
    ...(allowed.length > 0 ? { allowPrivate: allowedHosts(allowed) } : {}),
  }
}

type Config = DefinedSettings["config"]

function formatters(configured: Config["formatter"] = false) {
  if (configured === false) return []
  return Object.entries(configured).flatMap(([name, { command, extensions = [], environment, disabled }]) => {
    if (command === undefined || disabled) return []
    return [{ name, command, extensions, ...(environment === undefined ? {} : { environment }) }]
  })
}

function checks(configured: Config["check"] = {}) {
  return Object.entries(configured).map(([name, { command, extensions = [], timeout_ms: timeout }]) => {
    return { name, command, extensions, ...(timeout === undefined ? {} : { timeout }) }
  })
}
