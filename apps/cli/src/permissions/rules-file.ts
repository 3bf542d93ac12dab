import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type ConfigLayer, readConfig } from "@pawl/config"
import type { ReplayedRules } from "@pawl/reports/permissions/replay-calls"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { allAgents } from "@pawl/runtime/config/agents"
import { permissionScopes } from "@pawl/runtime/config/permission-scopes"

/** Reads a configuration, or what stands behind `permission` in one. Rejects with UsageError or ConfigError. */
export async function readRulesFile(path: string, { directory }: Pick<Host, "directory">): Promise<ReplayedRules> {
  const file = resolve(directory, path)
  const text = await readFile(file, "utf8")
  // A path below a file does not exist, so no other configuration is found.
  const nowhere = { directory: join(file, "-"), home: undefined, substitute: false } as const
  const env = { PAWL_CONFIG_DIR: join(file, "-") }
  const { layers } = /"permission"\s*:|"agent"\s*:/.test(text)
    ? await readConfig({ ...nowhere, env, file })
    : await readConfig({ ...nowhere, env: { ...env, PAWL_CONFIG_CONTENT: `{"permission":${text}\n}` } })
  const layer: ConfigLayer | undefined = layers.at(-1)
  if (!layer) throw new UsageError(`${path} holds no rules.`, "See: pawl permissions replay --help")
  const scopes = permissionScopes([{ ...layer, source: file, isProject: false }]).map((scope) => ({
    ...scope,
    name: scope.agent === undefined ? "new rules" : `new rules, agent ${scope.agent}`,
  }))
  if (scopes.length === 0) throw new UsageError(`${path} holds no rules.`, `It is read from ${dirname(file)}.`)
  return { scopes, agents: allAgents(layer.config.agent) }
}
