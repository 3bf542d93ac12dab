import type { Config } from "@pawl/config"
import type { CompactionSettings } from "@pawl/core"
import type { RuntimeHost } from "../host.ts"
import { isSwitchedOn } from "./switches.ts"

/** Variables that disable something, regardless of the configuration files. */
const SWITCHES = {
  auto: ["PAWL_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_AUTOCOMPACT"],
  prune: ["PAWL_DISABLE_PRUNE", "OPENCODE_DISABLE_PRUNE"],
} as const

/** Returns the compaction settings of the configuration and the environment. */
export function compactionSettings(
  configured: Config["compaction"] & object = {},
  environment: RuntimeHost["environment"] = {},
): CompactionSettings {
  const off = {
    ...(isSwitchedOn(environment, SWITCHES.auto) ? { auto: false } : {}),
    ...(isSwitchedOn(environment, SWITCHES.prune) ? { prune: false } : {}),
  }
  const models = Object.entries(configured.models ?? {}).map(([glob, settings]) => [glob, { ...settings, ...off }])
  return { ...configured, ...off, models: Object.fromEntries(models) }
}
