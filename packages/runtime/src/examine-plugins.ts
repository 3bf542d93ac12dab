import type { Engine, PluginProblem, PluginReport } from "@pawl/core/plugin"
import type { RuntimeHost } from "./host.ts"
import type { DefinedSettings } from "./config/definitions.ts"
import { openHost, openPluginEngine } from "./steps/start-plugins.ts"
import { createStepContext } from "./steps/step-context.ts"
import type { LoadedPlugin } from "./plugins/loaded-plugin.ts"
import { startProblem } from "./plugins/plugin-problems.ts"
import type { RequestedPlugin } from "./plugins/requested-plugins.ts"

/** Result of starting a plugin. */
export interface Examined {
  readonly member: LoadedPlugin
  /** A report for each plugin of the module. */
  readonly reports: readonly PluginReport[]
  /** Milliseconds for finding and importing it, and for starting it. */
  readonly took: { readonly load: number; readonly start: number }
  readonly problems: readonly string[]
  /** Messages that it reported while it started. */
  readonly notices: readonly string[]
}

/**
 * Loads and starts the plugins one after the other in a separate engine that stores nothing, and requests their tools.
 * Problems of one plugin are not reported for another one.
 */
export async function examinePlugins(
  plugins: readonly RequestedPlugin[],
  settings: DefinedSettings,
  host: RuntimeHost,
): Promise<Examined[]> {
  const [{ memoryStorage }, { scriptedModel }] = await Promise.all([
    import("@pawl/storage-memory"),
    import("@pawl/provider-replay"),
  ])
  const messages: string[] = []
  const mistakes: PluginProblem[] = []
  const { directory } = settings
  await using context = createStepContext({ directory, host, interaction: { notice: (text) => messages.push(text) } })
  const pluginHost = await openHost(settings, context)
  const model = scriptedModel([])
  const provider = {
    ...{ id: model.ref.providerID, name: "scripted", models: async () => [model.info], model: async () => model },
  }
  const engine = await openPluginEngine(settings, Promise.resolve(memoryStorage()), context)
  engine.update({ providers: [provider], model: model.ref })
  engine.subscribe((event) => {
    if (event.type === "session.notice") messages.push(event.properties.message)
    if (event.type === "plugin.error") mistakes.push(event.properties)
  })
  const found: Omit<Examined, "reports">[] = []
  const loadable: RequestedPlugin[] = []
  for (const wanted of plugins) {
    const began = performance.now()
    const { members } = await pluginHost.registry.load([...loadable, wanted], settings)
    const loaded = performance.now()
    const member = members.find((each) => each.wanted === wanted)
    const failed = await engine.plugins.set(members.flatMap(({ entries }) => entries))
    const mistaken = mistakes.splice(0).filter(({ message }) => failed.every((each) => each.message !== message))
    const ids = new Set(member?.entries.map(({ id }) => id))
    if (!member) continue
    // A plugin that does not load is left out, otherwise each later step would try it again, possibly until its
    // deadline.
    if (member.entries.length > 0) loadable.push(wanted)
    found.push({
      member,
      took: { load: loaded - began, start: performance.now() - loaded },
      problems: [
        ...member.problems,
        ...failed.filter(({ plugin }) => ids.has(plugin)).map((each) => startProblem(each)),
        ...mistaken.map(({ message }) => message),
      ],
      notices: messages.splice(0),
    })
  }
  await useOnce(engine, settings.directory)
  const reports = engine.plugins.report()
  return found.map((each) => {
    const ids = new Set(each.member.entries.map(({ id }) => id))
    const others = mistakes.filter(({ plugin }) => ids.has(plugin)).map(({ message }) => message)
    return { ...each, problems: [...each.problems, ...others], reports: reports.filter(({ id }) => ids.has(id)) }
  })
}

/** Returns false if a part of the plugin fails, or is never called because its name is misspelt. */
export function isWell({ problems, reports }: Pick<Examined, "problems" | "reports">): boolean {
  return problems.length === 0 && reports.every(({ problem }) => problem === undefined)
}

/** Returns the names of hooks, without those that contribute something. */
export function hooksOf(reports: readonly Pick<PluginReport, "hooks">[]): string[] {
  return [...new Set(reports.flatMap(({ hooks }) => hooks))].filter((hook) => !CONTRIBUTIONS.includes(hook))
}

const CONTRIBUTIONS: readonly string[] = ["tool", "command", "resource"]

/** Requests the tools and commands of plugins, as for the first request of a session. */
async function useOnce(engine: Engine, directory: string): Promise<void> {
  await engine.plugins.config({})
  await engine.plugins.commands()
  const session = await engine.createSession({ directory })
  await engine.context(session.id)
}
