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
  /** Milliseconds: to find and import it, and to start it. */
  readonly took: { readonly load: number; readonly start: number }
  readonly problems: readonly string[]
  /** Messages that it printed while it started. */
  readonly notices: readonly string[]
}

/**
 * Loads and starts the plugins one after the other in an engine of their own that stores nothing, and lets them give their
 * tools. Problems of one are no problem of another.
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
  const told: string[] = []
  const mistakes: PluginProblem[] = []
  const { directory } = settings
  await using context = createStepContext({ directory, host, interaction: { notice: (text) => told.push(text) } })
  const pluginHost = await openHost(settings, context)
  const model = scriptedModel([])
  const provider = {
    ...{ id: model.ref.providerID, name: "scripted", models: async () => [model.info], model: async () => model },
  }
  const engine = await openPluginEngine(settings, Promise.resolve(memoryStorage()), context)
  engine.update({ providers: [provider], model: model.ref })
  engine.subscribe((event) => {
    if (event.type === "session.notice") told.push(event.properties.message)
    if (event.type === "plugin.error") mistakes.push(event.properties)
  })
  const found: Omit<Examined, "reports">[] = []
  const whole: RequestedPlugin[] = []
  for (const wanted of plugins) {
    const began = performance.now()
    const { members } = await pluginHost.registry.load([...whole, wanted], settings)
    const loaded = performance.now()
    const member = members.find((each) => each.wanted === wanted)
    const failed = await engine.plugins.set(members.flatMap(({ entries }) => entries))
    const mistaken = mistakes.splice(0).filter(({ message }) => failed.every((each) => each.message !== message))
    const ids = new Set(member?.entries.map(({ id }) => id))
    if (!member) continue
    // What does not load would be tried again with each that follows, and may take until its deadline.
    if (member.entries.length > 0) whole.push(wanted)
    found.push({
      member,
      took: { load: loaded - began, start: performance.now() - loaded },
      problems: [
        ...member.problems,
        ...failed.filter(({ plugin }) => ids.has(plugin)).map((each) => startProblem(each)),
        ...mistaken.map(({ message }) => message),
      ],
      notices: told.splice(0),
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

/** Returns false if something of it fails, or is never called because its name is misspelt. */
export function isWell({ problems, reports }: Pick<Examined, "problems" | "reports">): boolean {
  return problems.length === 0 && reports.every(({ problem }) => problem === undefined)
}

/** Returns the names of their hooks, without what they contribute. */
export function hooksOf(reports: readonly Pick<PluginReport, "hooks">[]): string[] {
  return [...new Set(reports.flatMap(({ hooks }) => hooks))].filter((hook) => !GIVEN.includes(hook))
}

const GIVEN: readonly string[] = ["tool", "command", "resource"]

/** Lets plugins give their tools and commands, as for the first request of a session. */
async function useOnce(engine: Engine, directory: string): Promise<void> {
  await engine.plugins.config({})
  await engine.plugins.commands()
  const session = await engine.createSession({ directory })
  await engine.context(session.id)
}
