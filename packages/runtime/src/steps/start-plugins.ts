import type { Engine, EngineOptions } from "@pawl/core"
import type { FileHistory } from "@pawl/core/host"
import type { Storage } from "@pawl/core/storage"
import type { DefinedSettings } from "../config/definitions.ts"
import { fixedOptions } from "../config/engine-options.ts"
import { createEngine } from "../create-engine.ts"
import { historyDirectory } from "../history-directory.ts"
import { imageResizer } from "../image-resizer.ts"
import { subagentWorktrees } from "../run/subagent-worktrees.ts"
import { followEngine } from "../logging/follow-engine.ts"
import { lazyFileHistory } from "../lazy-file-history.ts"
import { hasServers } from "../mcp/configured-servers.ts"
import { openPluginHost, type PluginHost, type StartedPlugins } from "../plugins/plugin-host.ts"
import { pluginNotice } from "../plugins/plugin-problems.ts"
import { isPure, requestedPlugins } from "../plugins/requested-plugins.ts"
import type { StepContext } from "./step-context.ts"

/** Plugins and MCP servers in an engine that has no provider yet. */
export interface RunningPlugins {
  readonly host: PluginHost
  readonly engine: Engine
  readonly started: StartedPlugins
}

export interface PluginSources {
  readonly settings: DefinedSettings
  /** Storage of the engine. Called only if something is started. */
  readonly storage: () => Promise<Storage>
  /** Set if MCP servers alone are no reason to start. Default: false. */
  readonly needsPlugins?: boolean
}

/** Step 3: starts plugins and MCP servers. Without plugins and servers, returns undefined and imports none of their code. */
export async function startPlugins(
  { settings, storage, needsPlugins = false }: PluginSources,
  context: StepContext,
): Promise<RunningPlugins | undefined> {
  const { signal } = context.interaction
  const hasReason = hasPlugins(settings, context) || (!needsPlugins && hasServers(settings)) || context.options.isServed
  if (isWithoutPlugins(context) || !hasReason) return undefined
  const pluginHost = await openHost(settings, context)
  pluginHost.prepare(signal)
  const engine = await openPluginEngine(settings, storage(), context)
  return { host: pluginHost, engine, started: await pluginHost.start(engine, signal) }
}

/** Opens the host of plugins, without loading one. */
export async function openHost(settings: DefinedSettings, { host, say, resources }: StepContext): Promise<PluginHost> {
  const pluginHost = await openPluginHost(settings, host, say)
  resources.add(() => pluginHost[Symbol.dispose]())
  return pluginHost
}

/** Opens the engine in which plugins start, which has no provider. */
export async function openPluginEngine(
  settings: DefinedSettings,
  storage: Promise<Storage>,
  context: StepContext,
): Promise<Engine> {
  const { options } = await fixedOptions(settings, context.host)
  return await openEngine({ ...options, providers: [] }, { settings, storage }, context)
}

/** Returns true if the caller or the environment requests a runtime without plugins. */
export function isWithoutPlugins({ options, host }: StepContext): boolean {
  return options.isPure === true || isPure(host.environment)
}

/** Creates an engine that is closed with the runtime. */
export async function openEngine(
  options: Omit<EngineOptions, "storage">,
  { settings, storage }: { readonly settings: DefinedSettings; readonly storage: Promise<Storage> },
  { options: { askPolicy }, interaction: { ask, askChoice }, host, say, resources }: StepContext,
): Promise<Engine> {
  const fileHistory = settings.config.snapshot === false ? undefined : historyOf(settings, host)
  if (fileHistory) resources.add(() => fileHistory.close())
  const engine = await createEngine({
    ...options,
    resizeImage: imageResizer(say),
    ...(ask ? { ask } : {}),
    ...(askChoice ? { askChoice } : {}),
    ...(askPolicy ? { askPolicy } : {}),
    ...(fileHistory ? { fileHistory } : {}),
    subagentDirectories: subagentWorktrees({
      dataDirectory: settings.dataDirectory,
      environment: host.environment,
    }),
    storage: await storage,
  })
  resources.add(followEngine(engine, host.log))
  resources.add(() => closeEngine(engine, say))
  return engine
}

function historyOf(settings: DefinedSettings, { environment }: StepContext["host"]): FileHistory {
  return lazyFileHistory({ directory: historyDirectory(settings), environment })
}

function hasPlugins(settings: DefinedSettings, { host }: StepContext): boolean {
  const { plugins, problems } = requestedPlugins(settings, host)
  return plugins.length > 0 || problems.length > 0
}

/** Closes the engine. Messages of plugins during the close are still reported. */
async function closeEngine(engine: Engine, say: (text: string) => void): Promise<void> {
  engine.subscribe((event) => {
    const notice = pluginNotice(event)
    if (notice !== undefined) say(notice)
  })
  await engine.close()
}

/** Stores call counts for `pawl plugin doctor`. A failure to store them, such as a full disk, does not fail the run. */
export async function storeCalls({ plugins }: Engine, dataDirectory: string): Promise<void> {
  const { recordCalls } = await import("../plugins/call-record.ts")
  await recordCalls(dataDirectory, plugins.report()).catch(() => undefined)
}
