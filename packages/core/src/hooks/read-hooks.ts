import type { HookMap, HookName } from "./hook-map.ts"
import type { CalledHookName, ContributionName, HookHandler, PluginHooks } from "./plugin.ts"

// What stands in a plugin's hooks may be a getter that throws: what cannot be read is not there.

export function handlerOf<N extends CalledHookName>(hooks: PluginHooks, name: N): HookHandler<N> | undefined {
  try {
    const handler: unknown = hooks[name] ?? hooks[`experimental.${name}`]
    return typeof handler === "function" ? (handler as HookHandler<N>) : undefined
  } catch {
    return undefined
  }
}

export function contributionOf<N extends ContributionName>(hooks: PluginHooks, name: N): PluginHooks[N] | undefined {
  try {
    return hooks[name] ?? undefined
  } catch {
    return undefined
  }
}

/** The names of the hooks that a plugin takes part in, without `experimental.`. */
export function takenHooks(hooks: PluginHooks, rows: HookMap): HookName[] {
  return (Object.keys(rows) as HookName[]).filter((name) =>
    rows[name].class === "contribution"
      ? contributionOf(hooks, name as ContributionName) !== undefined
      : handlerOf(hooks, name as CalledHookName) !== undefined,
  )
}
