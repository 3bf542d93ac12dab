import { messageOf } from "../base/errors.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { CalledHookName, ContributionName, HookHandler, PluginHooks, PluginEntry } from "./plugin.ts"

/** Without one of these calls run that were to be kept from running: what is no function there is a mistake, not nothing. */
const GUARDS: ReadonlySet<CalledHookName> = new Set<CalledHookName>(["tool.execute.before", "permission.ask"])

/**
 * Undefined where the plugin does not take part. What stands there may be a getter that throws, and of a guard no
 * function at all: then the handler is one that throws why, so that it fails as any other that is broken does.
 */
export function handlerOf<N extends CalledHookName>(hooks: PluginHooks, name: N): HookHandler<N> | undefined {
  try {
    const handler: unknown = hooks[name] ?? hooks[`experimental.${name}`]
    if (typeof handler === "function") return handler as HookHandler<N>
    if (handler === undefined || handler === null || handler === false || !GUARDS.has(name)) return undefined
    return broken("it is no function")
  } catch (error) {
    return broken(`its handler cannot be read (${messageOf(error)})`, error)
  }
}

function broken(reason: string, cause?: unknown): () => never {
  return () => {
    throw new TypeError(reason, { cause })
  }
}

/** Undefined too where it cannot be read: what it would contribute is not there. */
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

/** Returns where an error was made, to stand behind a message. Empty if the place is not known. */
export function placeOf({ locate }: Pick<PluginEntry, "locate">, error: unknown): string {
  const place = locate?.(error)
  return place === undefined ? "" : ` (${place.file}:${place.line})`
}
