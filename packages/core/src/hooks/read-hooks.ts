import { messageOf } from "../base/errors.ts"
import type { HookMap, HookName } from "../contracts/hook-map.ts"
import type { CalledHookName, ContributionName, HookHandler, PluginHooks, PluginEntry } from "./plugin.ts"
import { isContribution } from "./returned-hooks.ts"

/**
 * Guards. Ignoring an invalid handler would let calls run that it should prevent, so a value that is not a function
 * counts as a mistake.
 */
const GUARDS: ReadonlySet<CalledHookName> = new Set<CalledHookName>(["tool.execute.before", "permission.ask"])

/**
 * Returns the handler; undefined if the plugin does not handle the hook. The property may be a getter that throws, or
 * for a guard not be a function: then returns a handler that throws the reason, so that it fails like any other broken
 * handler.
 */
export function handlerOf<N extends CalledHookName>(hooks: PluginHooks, name: N): HookHandler<N> | undefined {
  try {
    const handler: unknown = hooks[name] ?? hooks[`experimental.${name}`]
    if (typeof handler === "function") return handler as HookHandler<N>
    if (handler === undefined || handler === null || handler === false || !GUARDS.has(name)) return undefined
    return broken("it is not a function")
  } catch (error) {
    return broken(`its handler cannot be read (${messageOf(error)})`, error)
  }
}

function broken(reason: string, cause?: unknown): () => never {
  return () => {
    throw new TypeError(reason, { cause })
  }
}

/** Returns the contribution; undefined if it is missing, cannot be read, or has another shape than its readers need. */
export function contributionOf<N extends ContributionName>(hooks: PluginHooks, name: N): PluginHooks[N] | undefined {
  try {
    const value = hooks[name] ?? undefined
    return name === "tool" || isContribution(name, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the names of the hooks that a plugin handles, without `experimental.`. */
export function takenHooks(hooks: PluginHooks, rows: HookMap): HookName[] {
  return (Object.keys(rows) as HookName[]).filter((name) =>
    rows[name].class === "contribution"
      ? contributionOf(hooks, name as ContributionName) !== undefined
      : handlerOf(hooks, name as CalledHookName) !== undefined,
  )
}

/** Returns the place of an error, to append to a message. Empty if the place is unknown. */
export function placeOf({ locate }: Pick<PluginEntry, "locate">, error: unknown): string {
  const location = locate?.(error)
  return location === undefined ? "" : ` (${location.file}:${location.line})`
}
