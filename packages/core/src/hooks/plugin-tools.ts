import { HookError } from "../base/errors.ts"
import { offeredTools } from "../contracts/offered-tools.ts"
import type { Dispatch, HookReports } from "./dispatch.ts"
import type { PluginsTools } from "./hooks.ts"
import type { PluginInstance } from "./instance.ts"
import type { ToolScope } from "./plugin.ts"
import { contributionOf } from "./read-hooks.ts"
import { withSchemaTools } from "./schema-tools.ts"

/** Maximum number of different problems that are reported for the tools of one plugin. */
const MAX_PROBLEMS = 100

/** Reads the tools that plugins offer. */
export interface PluginToolReader {
  /**
   * Returns the tools of a plugin; none if it fails to return them. Rejects with the reason of the scope's signal once
   * it aborts.
   */
  readonly read: (instance: PluginInstance, scope: ToolScope) => Promise<PluginsTools>
  /** Returns the number of tools that the plugin offered last. */
  count(instance: PluginInstance): number
}

export function createPluginToolReader(
  dispatch: Pick<Dispatch, "ask">,
  reports: Pick<HookReports, "failed">,
): PluginToolReader {
  const reportedProblems = new WeakMap<PluginInstance, Set<string>>()
  const counts = new WeakMap<PluginInstance, number>()

  /** Reports a problem once, because plugins offer the same tools again and again. */
  function reportOnce(instance: PluginInstance, problem: string): void {
    const known = reportedProblems.get(instance) ?? new Set()
    reportedProblems.set(instance, known)
    if (known.has(problem) || known.size >= MAX_PROBLEMS) return
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
      const contribution = contributionOf(hooks, "tool")
      if (typeof contribution !== "function") {
        // Problems of these tools were reported when the plugin started.
        const { tools } = offeredTools(await withSchemaTools(contribution))
        counts.set(instance, tools.length)
        return { ...none, tools }
      }
      if (failures.isDisabled(sessionID)) return none
      try {
        const returned = await dispatch.ask(instance, "tool", () => contribution.call(hooks, scope), {
          sessionID,
          signal,
        })
        const { tools, problems } = offeredTools(await withSchemaTools(returned))
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
