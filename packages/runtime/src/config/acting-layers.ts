import type { Config } from "@pawl/config"
import { hidePasswords } from "@pawl/config/hide-passwords"
import type { RuntimeHost } from "../host.ts"
import type { Layer } from "@pawl/config/layer"
import { isSwitchedOn } from "./switches.ts"

/** Converts a variable of the environment to keys of a configuration. Returns undefined if it sets nothing. */
type ToConfig = (value: string) => Config | undefined

const VARIABLES: Readonly<Record<string, ToConfig>> = {
  PAWL_MODEL: (model) => ({ model }),
  PAWL_STORAGE: (storage) => ({ storage: hidePasswords(storage) }),
  PAWL_DATA_DIR: (data) => ({ data }),
  PAWL_LOG_LEVEL: (level) => ({ log: { level } }) as Config,
  PAWL_DISABLE_AUTOCOMPACT: () => ({ compaction: { auto: false } }),
  OPENCODE_DISABLE_AUTOCOMPACT: () => ({ compaction: { auto: false } }),
  PAWL_DISABLE_PRUNE: () => ({ compaction: { prune: false } }),
  OPENCODE_DISABLE_PRUNE: () => ({ compaction: { prune: false } }),
}

/** These have the lowest precedence. */
const LOWEST_VARIABLES: Readonly<Record<string, ToConfig>> = {
  OPENAI_BASE_URL: (baseURL) => ({ provider: { openai: { options: { baseURL: hidePasswords(baseURL) } } } }),
}

/** Returns the layers with the layers of environment variables. The source of the latter is the variable's name. */
export function withActing(layers: readonly Layer[], { environment }: Pick<RuntimeHost, "environment">): Layer[] {
  return [...layersOf(LOWEST_VARIABLES, environment), ...layers, ...layersOf(VARIABLES, environment)]
}

function layersOf(variables: Readonly<Record<string, ToConfig>>, environment: RuntimeHost["environment"]): Layer[] {
  return Object.entries(variables).flatMap(([source, toConfig]) => {
    const value = environment[source]
    const isOff = source.includes("_DISABLE_") && !isSwitchedOn(environment, [source])
    const config = value && !isOff ? toConfig(value) : undefined
    return config ? [{ source, config, isProject: false }] : []
  })
}
