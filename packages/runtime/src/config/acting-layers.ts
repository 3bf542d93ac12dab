import type { Config } from "@pawl/config"
import { hidePasswords } from "@pawl/config/hide-passwords"
import type { RuntimeHost } from "../host.ts"
import type { Layer } from "@pawl/config/layer"
import { isSwitchedOn } from "./switches.ts"

/** Converts a variable of the environment to keys of a configuration. Returns undefined if it sets nothing. */
type Acting = (value: string) => Config | undefined

const VARIABLES: Readonly<Record<string, Acting>> = {
  PAWL_MODEL: (model) => ({ model }),
  PAWL_STORAGE: (storage) => ({ storage: hidePasswords(storage) }),
  PAWL_DATA_DIR: (data) => ({ data }),
  PAWL_LOG_LEVEL: (level) => ({ log: { level } }) as Config,
  PAWL_DISABLE_AUTOCOMPACT: () => ({ compaction: { auto: false } }),
  OPENCODE_DISABLE_AUTOCOMPACT: () => ({ compaction: { auto: false } }),
  PAWL_DISABLE_PRUNE: () => ({ compaction: { prune: false } }),
  OPENCODE_DISABLE_PRUNE: () => ({ compaction: { prune: false } }),
}

/** These go before a configuration, and the following counts where it says nothing. */
const BELOW: Readonly<Record<string, Acting>> = {
  OPENAI_BASE_URL: (baseURL) => ({ provider: { openai: { options: { baseURL: hidePasswords(baseURL) } } } }),
}

/** The layers together with those of the variables that act, each of which has its name as the source. */
export function withActing(layers: readonly Layer[], { environment }: Pick<RuntimeHost, "environment">): Layer[] {
  return [...layersOf(BELOW, environment), ...layers, ...layersOf(VARIABLES, environment)]
}

function layersOf(variables: Readonly<Record<string, Acting>>, environment: RuntimeHost["environment"]): Layer[] {
  return Object.entries(variables).flatMap(([source, acting]) => {
    const value = environment[source]
    const isOff = source.includes("_DISABLE_") && !isSwitchedOn(environment, [source])
    const config = value && !isOff ? acting(value) : undefined
    return config ? [{ source, config, isProject: false }] : []
  })
}
