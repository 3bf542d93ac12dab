import type { SessionID } from "../base/ids.ts"
import type { CallCount } from "./call-counts.ts"
import type { DraftListener } from "./hooks.ts"
import type { PluginInstance } from "./instance.ts"
import type { Tool } from "../contracts/tool.ts"
import type { ContributionName, PluginCommand, PluginEntry, ToolScope } from "./plugin.ts"
import type { PluginProblem, Plugins } from "./plugins.ts"
import { contributionOf } from "./read-hooks.ts"

/** Controls the plugins of an engine. For the engine's host. */
export interface PluginControl {
  /**
   * Replaces the whole list, by id. A plugin with the same entry object stays unchanged. Another entry with a known id
   * replaces the old plugin, which is disposed once its calls have ended; if the new one does not start, the old one
   * stays. Running sessions use the new plugins from their next step on. Resolves with the problems, which are also
   * published as events. A plugin must not await this while it starts.
   */
  set(entries: readonly PluginEntry[]): Promise<readonly PluginProblem[]>
  /**
   * Returns the configuration after the `config` hooks. The input is not changed. `listener`: called with each plugin's
   * changes.
   */
  config<T extends object>(config: T, listener?: DraftListener<T>): Promise<T>
  /** Returns the contributions in the plugins' order, without those of another shape, which were reported. */
  contributions(name: Exclude<ContributionName, "tool">): readonly Contribution[]
  /** Returns the tools that plugins offer to a new session, for lists. */
  tools(place: Pick<ToolScope, "directory" | "worktree" | "signal">): Promise<readonly Tool[]>
  /** Returns the commands of all plugins, in their order. A failing function is reported and has no commands. */
  commands(): Promise<readonly OfferedCommand[]>
  /** Reports the plugins' hooks and calls, in their order; plugins that did not start come last. */
  report(): readonly PluginReport[]
}

export interface Contribution {
  readonly plugin: string
  readonly value: unknown
}

export type OfferedCommand = PluginCommand & { readonly plugin: string }

export interface PluginReport {
  readonly id: string
  /** Names without `experimental.`. */
  readonly hooks: readonly string[]
  /** Number of tools that it offered last. */
  readonly tools: number
  /** Counts by hook; hooks that were never called are missing. */
  readonly calls: Readonly<Record<string, CallCount>>
  /** Sessions in which the plugin failed three times in a row. */
  readonly disabledIn: readonly SessionID[]
  /** Reason that the plugin, or its replacement, did not start. */
  readonly problem?: string
}

export function createPluginControl(plugins: Plugins): PluginControl {
  const { dispatch, hooks } = plugins

  async function commandsOf(instance: PluginInstance): Promise<OfferedCommand[]> {
    const give = contributionOf(instance.hooks, "command")
    if (typeof give !== "function") return []
    try {
      const read = async () => toCommands(instance.id, await (give.call(instance.hooks) as unknown))
      const { commands, problems } = await dispatch.ask(instance, "command", read)
      for (const problem of problems) dispatch.blame(instance, "command", problem)
      return commands
    } catch {
      // `ask` has already reported the failure.
      return []
    }
  }

  return {
    set: (entries) => plugins.set(entries),
    async config(config, listener) {
      const draft = config as Record<string, unknown>
      const onDraft = listener as DraftListener<typeof draft> | undefined
      return (await hooks.transform("config", {}, draft, undefined, onDraft)) as typeof config
    },
    contributions(name) {
      return plugins.instances().flatMap((instance) => {
        const value: unknown = contributionOf(instance.hooks, name)
        return value === undefined ? [] : [{ plugin: instance.id, value }]
      })
    },
    async tools(place) {
      const sessionID: SessionID = "ses_new"
      return (await hooks.tools({ ...place, sessionID, rootSessionID: sessionID })).flatMap(({ tools }) => tools)
    },
    async commands() {
      return (await Promise.all(plugins.instances().map((instance) => commandsOf(instance)))).flat()
    },
    report() {
      const { problems } = plugins
      const running = plugins.instances().map((instance): PluginReport => {
        const { id, counts, failures } = instance
        const about = {
          id,
          ...plugins.describe(instance),
          calls: counts.all(),
          disabledIn: failures.disabledIn(),
        }
        return { ...about, ...problemOf(problems, id) }
      })
      const missing = [...problems.keys()].filter((id) => running.every((report) => report.id !== id))
      const nothing = { hooks: [], tools: 0, calls: {}, disabledIn: [] }
      return [...running, ...missing.map((id) => ({ id, ...nothing, ...problemOf(problems, id) }))]
    },
  }
}

/** Returns the valid commands, and a sentence for each invalid one. */
function toCommands(plugin: string, returned: unknown): { commands: OfferedCommand[]; problems: string[] } {
  if (returned === undefined || returned === null) return { commands: [], problems: [] }
  if (!Array.isArray(returned)) return { commands: [], problems: ["it gave no list of commands"] }
  const problems: string[] = []
  const commands = (returned as PluginCommand[]).flatMap((command, at) => {
    if (typeof command?.name !== "string" || typeof command.expand !== "function") {
      problems.push(`its command ${at + 1} cannot be used: give it a \`name\` and a function \`expand\``)
      return []
    }
    const { name, description, hints, agent, model } = command
    const expand: PluginCommand["expand"] = (args, signal) => command.expand(args, signal)
    return [{ plugin, name, expand, ...defined({ description, hints, agent, model }) }]
  })
  return { commands, problems }
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function problemOf(problems: Plugins["problems"], id: string): Pick<PluginReport, "problem"> {
  const problem = problems.get(id)
  return problem === undefined ? {} : { problem }
}
