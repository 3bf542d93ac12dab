import { type Deadlines, within } from "../base/deadlines.ts"
import { HookError, messageOf } from "../base/errors.ts"
import { kindOf } from "../base/kind-of.ts"
import { offeredTools } from "../contracts/offered-tools.ts"
import { type CallCounts, createCallCounts } from "./call-counts.ts"
import type { HookMap } from "../contracts/hook-map.ts"
import { placeOf } from "./read-hooks.ts"
import { unknownHooks } from "./hook-names.ts"
import { createPluginFailures, type PluginFailures } from "./plugin-failures.ts"
import { watchGlobals } from "./replaced-globals.ts"
import { hookMistakes } from "./returned-hooks.ts"
import { withSchemaTools } from "./schema-tools.ts"
import type { PluginEntry, PluginHooks, PluginInput } from "./plugin.ts"

/** A started plugin. */
export interface PluginInstance {
  readonly id: string
  readonly entry: PluginEntry
  readonly hooks: PluginHooks
  readonly failures: PluginFailures
  readonly counts: CallCounts
  /** Prevents disposal until the returned function is called. */
  hold(): () => void
  /** Resolves when no caller holds the plugin. */
  free(): Promise<void>
}

/** Starts a plugin. Rejects with HookError if it does not start. A plugin that starts too late is disposed then. */
export async function startPlugin(
  entry: PluginEntry,
  input: Pick<PluginInput<unknown>, "engine" | "changed" | "notice">,
  deadlines: Pick<Deadlines, "guardHook">,
  onProblem: (error: HookError) => void,
  rows: HookMap,
): Promise<PluginInstance> {
  const { id, options = {} } = entry
  const replaced = watchGlobals()
  const problem: PluginInput<unknown>["problem"] = (hook, message) => onProblem(new HookError(id, hook, message))
  const started = (async () => entry.plugin({ ...input, problem, options } as PluginInput<never>))()
  try {
    const returned: unknown = await within(deadlines.guardHook, started, () => new Error("it did not start in time"))
    for (const name of replaced()) input.notice(`Plugin "${id}" has replaced ${name} for everything in this process.`)
    const hooks = typeof returned === "object" && returned !== null ? (returned as PluginHooks) : {}
    if (!isHooks(returned)) problem("start", `it returned ${kindOf(returned)}; expected an object of hooks`)
    for (const { message, near } of unknownHooks(hooks, Object.keys(rows))) {
      if (near === undefined) input.notice(`Plugin "${id}": ${message}`)
      else problem(near, message)
    }
    for (const { hook, message } of hookMistakes(hooks, rows)) problem(hook, message)
    const { tool } = hooks
    const problems = typeof tool === "function" ? [] : offeredTools(await withSchemaTools(tool)).problems
    for (const each of problems) problem("tool", each)
    return instance(entry, hooks)
  } catch (error) {
    // The failure of the start is reported, so that of an instance that comes after it is not.
    void started.then((late: unknown) => disposeLate(late)).catch(() => undefined)
    throw new HookError(id, "start", `${messageOf(error)}${placeOf(entry, error)}`, { cause: error })
  }
}

/** Returns whether a plugin may return the value. Those that only do something when they start return nothing. */
function isHooks(returned: unknown): boolean {
  return returned === undefined || returned === null || (typeof returned === "object" && !Array.isArray(returned))
}

/** Disposes a plugin that started too late and is never called. */
async function disposeLate(hooks: unknown): Promise<void> {
  if (typeof hooks === "object" && hooks !== null) await (hooks as PluginHooks).dispose?.({}, {})
}

function instance(entry: PluginEntry, hooks: PluginHooks): PluginInstance {
  let held = 0
  let waiting: (() => void)[] = []
  return {
    ...{ id: entry.id, entry, hooks, failures: createPluginFailures(), counts: createCallCounts() },
    hold() {
      held++
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (--held > 0) return
        const resolvers = waiting
        waiting = []
        for (const resolve of resolvers) resolve()
      }
    },
    free() {
      if (held === 0) return Promise.resolve()
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
