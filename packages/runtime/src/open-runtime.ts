import {
  type Engine,
  type EngineOptions,
  type ModelRef,
  type PermissionScope,
  type PromptPart,
  type Provider,
  readAncestors,
  type Session,
  type Storage,
} from "@pawl/core"
import { createEngine } from "./create-engine.ts"
import { openProviderAuth } from "./providers/open-provider-auth.ts"
import { ignoredNotices } from "./config/ignored-notices.ts"
import { errorMessage } from "@pawl/config/error-message"
import type { RuntimeHost } from "./host.ts"
import { followEngine } from "./logging/follow-engine.ts"
import { followRequests } from "./logging/follow-requests.ts"
import { hasServers } from "./mcp/configured-servers.ts"
import { loadProviders } from "@pawl/provider-registry/load-providers"
import { REPLAY } from "@pawl/provider-registry/replay"
import { watchForChanges } from "./plugins/watch-for-changes.ts"
import { askOrganizations } from "./organization/ask-organizations.ts"
import { unseenOrganizations } from "./organization/unseen-organizations.ts"
import { pluginNotice } from "./plugins/plugin-problems.ts"
import { openPluginHost, type PluginHost } from "./plugins/plugin-host.ts"
import { isPure, requestedPlugins } from "./plugins/requested-plugins.ts"
import type { ChosenCommand } from "./prompt/find-command.ts"
import { resourceParts } from "./prompt/resource-parts.ts"
import { plainLine } from "@pawl/plain-text"
import { findSession } from "./session/find-session.ts"
import { requireWhole } from "./session/require-whole.ts"
import { SUMMARIZER } from "./config/agents.ts"
import { type DefinedSettings, withDefinitions } from "./config/definitions.ts"
import { type ChangingOptions, engineOptions, fixedOptions, outputDirectory } from "./config/engine-options.ts"
import { openSandbox } from "./config/sandbox.ts"
import { readSettings, type Settings } from "./config/settings.ts"
import { refusedStorage, storageChoice } from "./config/storage-choice.ts"
import { checkSupport } from "./config/unsupported.ts"
import { openStorage } from "./storage/open-storage.ts"
import { checkCompaction, isCompaction, summarizing } from "./prompt/compaction-command.ts"
import { createHotReload } from "./plugins/hot-reload.ts"
import type { Interaction } from "./interaction.ts"
import { imageResizer } from "./image-resizer.ts"
import { promptParts } from "./prompt/prompt-parts.ts"
import { agentNotice, agentOf, chosenCommand, commandName } from "./prompt/agent-choice.ts"
import { addressNotice, chosenModel, modelSources } from "./providers/model-choice.ts"
import { chosenVariant } from "./providers/variant-choice.ts"
import type { TaskRequest } from "./task-request.ts"
import type { TrustOptions } from "@pawl/trust/decide-trust"
import { workDirectory } from "./session/work-directory.ts"

/** The open resources of a run. */
export interface Workshop {
  readonly engine: Engine
  readonly storage: Storage
  readonly model: ModelRef
  /** Variant that the prompt selects. Undefined for that of the session or the agent. */
  readonly variant: string | undefined
  readonly settings: DefinedSettings
  /** Permission rules of the configuration. */
  readonly scopes: readonly PermissionScope[]
  /** Session to continue. Undefined for a new one. */
  readonly session: Session | undefined
  readonly parts: readonly PromptPart[]
  /** Command that produced the parts or replaces them. Undefined for a plain prompt. */
  readonly command: ChosenCommand | undefined
  /** Agent that the prompt is for. Undefined for the session's own. */
  readonly agent: string | undefined
  /** Notices for the user before the first request. */
  readonly notices: readonly string[]
  /**
   * Starts to apply changes of plugins, tools, agents and configuration, without delaying the run. A second call does nothing.
   */
  follow(): void
  close(): Promise<void>
}

/** Opens the resources of a run in parallel. When it rejects, everything is closed and nothing was stored. */
export async function openWorkshop(
  request: TaskRequest,
  host: RuntimeHost,
  interaction: Interaction,
): Promise<Workshop> {
  const { ask, askChoice, askTrust, notice } = interaction
  const say = (text: string) => notice(plainLine(text))
  const trust = { flag: request.trust, ask: askTrust }
  const here = await readSettings(host, request.directory, trust)
  const flag = request.storage === undefined ? undefined : { name: "--storage", value: request.storage }
  const opening = openStorage(storageChoice({ ...here, host, flag }), { onNotice: say })
  // It is awaited after other files are read.
  opening.catch(() => undefined)
  const opened: (() => Promise<void> | void)[] = [followRequests(host.log)]
  const close = async () => {
    for (const end of opened.toReversed()) await end()
    await opening.then(
      (storage) => storage.close(),
      () => undefined,
    )
  }
  try {
    const session =
      request.choice.type === "new" ? undefined : await findSession(await opening, request.choice, request.directory)
    if (session) await requireWhole(session)
    const read = await withDefinitions(await settingsOf(session, here, host, trust), host)
    const isBare = request.isPure === true || isPure(host.environment)
    const pluginHost = isBare ? undefined : await openTeamFor(read, host, say)
    if (pluginHost) opened.push(() => pluginHost[Symbol.dispose]())
    pluginHost?.prepare(interaction.signal)
    const sandbox = await openSandbox(read, host)
    opened.push(async () => sandbox?.close())
    const people = {
      ...{ resizeImage: imageResizer(say) },
      ...(ask ? { ask } : {}),
      ...(askChoice ? { askChoice } : {}),
      ...(request.askPolicy ? { askPolicy: request.askPolicy } : {}),
    }
    const make = async (options: Omit<EngineOptions, "storage">) => {
      const made = await createEngine({ ...options, ...people, storage: await opening })
      opened.push(followEngine(made, host.log))
      opened.push(() => closeEngine(made, say))
      return made
    }
    const early = pluginHost && (await make({ ...(await fixedOptions(read, host)).options, providers: [] }))
    if (early) opened.push(() => keepCalls(early, here.dataDirectory))
    const started = pluginHost && early && (await pluginHost.start(early, interaction.signal))
    const settings = started?.settings ?? read
    const typed = commandName(request)
    const met =
      early && typed !== undefined ? await pluginHost?.connectServerOf(early, typed, interaction.signal) : undefined
    const command = chosenCommand(request, settings, met ?? started?.commands)
    if (isCompaction(command)) checkCompaction(request)
    const wanted = summarizing(request, command)
    const agent = agentOf(wanted, session, command, settings)
    const { auth, kept } = await openProviderAuth(settings, host, early)
    const model = await chosenModel(wanted, { session, agent, command, settings, kept }, host)
    host.log.write("debug", "model", { ...model, agent })
    const asks = askChoice !== undefined || (request.askPolicy ?? settings.config.ask) === "wait"
    const providersOf = async (given: DefinedSettings) => {
      const sources = modelSources(wanted, { settings: given, command, model }, host)
      const loaded = await loadProviders(model, { ...sources, auth })
      return { ...loaded, providers: interaction.listen?.(loaded.providers) ?? loaded.providers }
    }
    const [storage, { providers, unusable }, configured] = await Promise.all([
      opening,
      providersOf(settings),
      engineOptions(settings, host, opening, { sandbox, asks, modules: pluginHost?.registry.modules }),
    ])
    const variant = await chosenVariant(request, { command, settings, model, providers })
    const { titleModel: _, ...always } = configured.options
    const options = { ...always, ...atWork(configured.options, wanted, model) }
    const { running, builtin } = configured
    const current = { ...options, providers, model }
    if (pluginHost) pluginHost.environment.providers = providers
    if (early) early.update(current)
    const working = early ?? (await make(current))
    const resources = early && ((written: string) => resourceParts(early, written, interaction.signal))
    const above = session ? await readAncestors(storage, session) : []
    const work = { request, session, above, agent, command, settings, options, sandbox, running, resources }
    const parts = isCompaction(command) ? [] : await promptParts(work, host, interaction)
    const refused = refusedStorage(settings.layers)
    const notices = [
      ...settings.trust.notices,
      ...(await ignoredNotices(settings.layers, settings.dataDirectory)),
      ...unseenOrganizations(kept, settings.layers),
      ...settings.definitions.problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
      ...checkSupport(settings.layers),
      ...(started?.notices ?? []),
      ...configured.notices,
      ...(refused === undefined ? [] : [refused]),
      ...(unusable === undefined ? [] : [unusable]),
      ...addressNotice(model, request, settings, host),
      ...agentNotice(session, agent, settings),
    ].map(plainLine)
    const { startOutputCleaning } = await import("@pawl/tools")
    const cleaning = startOutputCleaning({ directory: outputDirectory(settings) })
    opened.push(() => cleaning.stop())
    const follow = () => {
      return watchForChanges({
        ...{
          engine: working,
          host,
          settings: read,
          pluginHost,
          started,
          builtin,
          isPure: isBare,
          notice: say,
        },
        fitted: (changed) => atWork(changed, wanted, model),
        providersOf: async (given) => (await providersOf(given)).providers,
      })
    }
    const following = createHotReload(follow, (error) => {
      say(`Changes of plugins, tools, agents and configuration are not applied: ${errorMessage(error)}`)
    })
    opened.push(() => following.end())
    if (settings.layers.some(({ kind }) => kind === "organization")) {
      const asking = askOrganizations(here.dataDirectory, host, say)
      opened.push(() => asking.end())
    }
    return {
      ...{ engine: working, storage, model, variant, settings, session, parts, command, agent, notices },
      scopes: options.permission ?? [],
      follow: () => following.begin(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Closes the engine. Messages of plugins during the close are still printed. */
async function closeEngine(engine: Engine, say: (text: string) => void): Promise<void> {
  engine.subscribe((event) => {
    const told = pluginNotice(event)
    if (told !== undefined) say(told)
  })
  await engine.close()
}

/** Stores call counts for `pawl plugin doctor`. A failure to store them, such as a full disk, does not fail the run. */
async function keepCalls({ plugins }: Engine, dataDirectory: string): Promise<void> {
  const { recordCalls } = await import("./plugins/call-record.ts")
  await recordCalls(dataDirectory, plugins.report()).catch(() => undefined)
}

/** Returns undefined without plugins and MCP servers; their code is not imported then. */
async function openTeamFor(
  settings: DefinedSettings,
  host: RuntimeHost,
  notice: (text: string) => void,
): Promise<PluginHost | undefined> {
  const { plugins, problems } = requestedPlugins(settings, host)
  if (plugins.length === 0 && problems.length === 0 && !hasServers(settings)) return undefined
  return await openPluginHost(settings, host, notice)
}

/** Applies the request's overrides to the options of the configuration. */
function atWork({ titleModel, ...options }: ChangingOptions, request: TaskRequest, model: ModelRef): ChangingOptions {
  // A scripted run must not send requests to another model.
  const titler = model.providerID === REPLAY ? false : titleModel
  const agents = (options.agents ?? []).filter(({ name }) => !request.isSummarizer || name !== SUMMARIZER)
  const limits = request.limits ? { limits: { ...options.limits, ...request.limits } } : {}
  return { ...options, agents, ...limits, ...(titler === undefined ? {} : { titleModel: titler }) }
}

/** Reads the settings of the directory in which the session began. */
async function settingsOf(
  session: Session | undefined,
  here: Settings,
  host: RuntimeHost,
  trust: TrustOptions,
): Promise<Settings> {
  if (!session || session.directory === here.directory) return here
  return readSettings(host, await workDirectory(host, session.directory), trust)
}
