import { HookError } from "../base/errors.ts"
import { offeredTools } from "../contracts/offered-tools.ts"
import type { Dispatch, HookReports } from "./dispatch.ts"
import type { PluginsTools } from "./hooks.ts"
import type { PluginInstance } from "./instance.ts"
import type { ToolScope } from "./plugin.ts"
import { contributionOf } from "./read-hooks.ts"
import { withSchemaTools } from "./schema-tools.ts"

/** Different problems of one plugin's tools that are told of. */
const MOST_PROBLEMS = 100

/** Reads what plugins offer as tools. */
export interface PluginToolReader {
  /** None where the plugin fails to give them. Rejects with the reason of the scope's signal once that aborts. */
  readonly read: (instance: PluginInstance, scope: ToolScope) => Promise<PluginsTools>
  /** How many it offered last. */
  count(instance: PluginInstance): number
}

export function createPluginToolReader(
  dispatch: Pick<Dispatch, "ask">,
  reports: Pick<HookReports, "failed">,
): PluginToolReader {
  const told = new WeakMap<PluginInstance, Set<string>>()
  const counts = new WeakMap<PluginInstance, number>()

  /** The same tools are given again and again. */
  function reportOnce(instance: PluginInstance, problem: string): void {
    const known = told.get(instance) ?? new Set()
    told.set(instance, known)
    if (known.has(problem) || known.size >= MOST_PROBLEMS) return
    known.add(problem)
    reports.failed(new HookError(instance.id, "tool", problem))
  }

  return {
    count: (instance) => counts.get(instance) ?? 0,
    async read(instance, scope) {
      const report = (problem: string) => reportOnce(instance, problem)
      const none = { plugin: instance.id, tools: [], report }
      const { hooks, failures } = instance
      const { sessionID, signal } = scope
      const given = contributionOf(hooks, "tool")
      if (typeof given !== "function") {
        // What is wrong with these was told when the plugin started.
        const { tools } = offeredTools(await withSchemaTools(given))
        counts.set(instance, tools.length)
        return { ...none, tools }
      }
      if (failures.isDisabled(sessionID)) return none
      try {
        const asked = await dispatch.ask(instance, "tool", () => given.call(hooks, scope), { sessionID, signal })
        const { tools, problems } = offeredTools(await withSchemaTools(asked))
        for (const problem of problems) report(problem)
        counts.set(instance, tools.length)
        return { ...none, tools }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof HookError) return none
        throw error
      }
    },
  }
}
