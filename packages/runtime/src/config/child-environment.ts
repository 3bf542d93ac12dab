import type { Config } from "@pawl/config"
import { childEnvironment } from "@pawl/core/tool"
import type { RuntimeHost } from "../host.ts"
import { keyVariables } from "@pawl/provider-registry/presets"

export interface ConfiguredEnvironment {
  /** Environment of child processes. */
  readonly environment: Readonly<Record<string, string>>
  /** Notices about ignored names. */
  readonly notices: readonly string[]
}

/** The harmless variables, and those that `environment` names: but never one that holds a provider's key. */
export function configuredEnvironment(
  { environment: names = [], provider }: Pick<Config, "environment" | "provider">,
  environment: RuntimeHost["environment"],
): ConfiguredEnvironment {
  const keys = new Set(Object.values(provider ?? {}).flatMap(({ options }) => options?.apiKey ?? []))
  const named = new Set(Object.values(provider ?? {}).flatMap(({ env = [] }) => env))
  const isKey = (name: string) => {
    return KEY_VARIABLES.has(name) || named.has(name) || keys.has(environment[name] ?? "")
  }
  const given = names.flatMap((name) => {
    const value = environment[name]
    return value === undefined || isKey(name) ? [] : [[name, value] as const]
  })
  return {
    environment: { ...childEnvironment(environment), ...Object.fromEntries(given) },
    notices: names.filter(isKey).map((name) => {
      return `"environment" names ${name}, which holds a provider's key: no program that is started here gets it`
    }),
  }
}

const KEY_VARIABLES: ReadonlySet<string> = new Set([...keyVariables, "PAWL_API_KEY"])
