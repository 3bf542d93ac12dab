import {
  createEngine,
  type AskChoice,
  type AskPermission,
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
import { openProviderAuth } from "../auth/open-provider-auth.ts"
import { leftOutNotices } from "../config/left-out-notices.ts"
import { explainError } from "../explain-error.ts"
import type { Host } from "../host.ts"
import { followEngine } from "../logging/follow-engine.ts"
import { followRequests } from "../logging/follow-requests.ts"
import { hasServers } from "../mcp/configured-servers.ts"
import { loadProviders } from "../model/load-providers.ts"
import { REPLAY } from "../model/replay.ts"
import { followChanges } from "../plugins/follow-changes.ts"
import { askOrganizations } from "../organization/ask-organizations.ts"
import { unseenOrganizations } from "../organization/unseen-organizations.ts"
import { pluginNotice } from "../plugins/plugin-problems.ts"
import { openTeam, type Team } from "../plugins/team.ts"
import { isPure, wantedPlugins } from "../plugins/wanted-plugins.ts"
import type { ChosenCommand } from "../prompt/find-command.ts"
import { resourceParts } from "../prompt/resource-parts.ts"
import { plainLine } from "../render/plain.ts"
import { findSession } from "../session/find-session.ts"
import { requireWhole } from "../session/require-whole.ts"
import { SUMMARIZER } from "../settings/agents.ts"
import { type DefinedSettings, withDefinitions } from "../settings/definitions.ts"
import { type ChangingOptions, engineOptions, fixedOptions, outputDirectory } from "../settings/engine-options.ts"
import { openSandbox } from "../settings/sandbox.ts"
import { readSettings, type Settings } from "../settings/settings.ts"
import { refusedStorage, storageChoice } from "../settings/storage-choice.ts"
import { checkSupport } from "../settings/unsupported.ts"
import { openStorage } from "../storage/open-storage.ts"
import { checkCompaction, isCompaction, summarizing } from "./compaction-task.ts"
import { createFollowing } from "./following.ts"
import { imageResizer } from "./image-resizer.ts"
import { promptParts } from "./prompt-parts.ts"
import { agentNotice, agentOf, chosenCommand, commandName } from "./run-agent.ts"
import { addressNotice, chosenModel, modelSources } from "./run-model.ts"
import { chosenVariant } from "./run-variant.ts"
import type { TaskRequest } from "./task-request.ts"
import type { AskTrust, TrustOptions } from "../trust/decide-trust.ts"
import { workDirectory } from "./work-directory.ts"

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

/** Callbacks to the user and other observers during a run. */
export interface Bystander {
  /** If absent, calls that need approval are refused. */
  readonly ask?: AskPermission | undefined
  /** If absent, tools that ask are offered only if questions can be answered from another process. */
  readonly askChoice?: AskChoice | undefined
  /** If absent, a project stays untrusted unless it was trusted before. */
  readonly askTrust?: AskTrust | undefined
  readonly notice: (text: string) => void
  /** Wraps the providers to observe their streams. */
  readonly listen?: ((providers: readonly Provider[]) => readonly Provider[]) | undefined
  /** Aborts shell commands of the prompt. */
  readonly signal?: AbortSignal
}

/** Opens the resources of a run in parallel. When it rejects, everything is closed and nothing was stored. */
export async function openWorkshop(request: TaskRequest, host: Host, bystander: Bystander): Promise<Workshop> {
  const { ask, askChoice, askTrust, notice } = bystander
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
    const team = isBare ? undefined : await openTeamFor(read, host, say)
    if (team) opened.push(() => team[Symbol.dispose]())
    team?.prepare(bystander.signal)
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
    const early = team && (await make({ ...(await fixedOptions(read, host)).options, providers: [] }))
    if (early) opened.push(() => keepCalls(early, here.dataDirectory))
    const played = team && early && (await team.play(early, bystander.signal))
    const settings = played?.settings ?? read
    const typed = commandName(request)
    const met = early && typed !== undefined ? await team?.meet(early, typed, bystander.signal) : undefined
    const command = chosenCommand(request, settings, met ?? played?.commands)
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
      return { ...loaded, providers: bystander.listen?.(loaded.providers) ?? loaded.providers }
    }
    const [storage, { providers, unusable }, configured] = await Promise.all([
      opening,
      providersOf(settings),
      engineOptions(settings, host, opening, { sandbox, asks, modules: team?.crew.modules }),
    ])
    const variant = await chosenVariant(request, { command, settings, model, providers })
    const { titleModel: _, ...always } = configured.options
    const options = { ...always, ...atWork(configured.options, wanted, model) }
    const { running, builtin } = configured
    const current = { ...options, providers, model }
    if (team) team.stage.providers = providers
    if (early) early.update(current)
    const working = early ?? (await make(current))
    const resources = early && ((written: string) => resourceParts(early, written, bystander.signal))
    const above = session ? await readAncestors(storage, session) : []
    const work = { request, session, above, agent, command, settings, options, sandbox, running, resources }
    const parts = isCompaction(command) ? [] : await promptParts(work, host, bystander)
    const refused = refusedStorage(settings.layers)
    const notices = [
      ...settings.trust.notices,
      ...(await leftOutNotices(settings.layers, settings.dataDirectory)),
      ...unseenOrganizations(kept, settings.layers),
      ...settings.definitions.problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
      ...checkSupport(settings.layers),
      ...(played?.notices ?? []),
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
      return followChanges({
        ...{
          engine: working,
          host,
          settings: read,
          team,
          played,
          builtin,
          isPure: isBare,
          notice: say,
        },
        fitted: (changed) => atWork(changed, wanted, model),
        providersOf: async (given) => (await providersOf(given)).providers,
      })
    }
    const following = createFollowing(follow, (error) => {
      say(`Changes of plugins, tools, agents and configuration are not applied: ${explainError(error).message}`)
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
  const { recordCalls } = await import("../plugins/call-record.ts")
  await recordCalls(dataDirectory, plugins.report()).catch(() => undefined)
}

/** Returns undefined without plugins and MCP servers; their code is not imported then. */
async function openTeamFor(
  settings: DefinedSettings,
  host: Host,
  notice: (text: string) => void,
): Promise<Team | undefined> {
  const { plugins, problems } = wantedPlugins(settings, host)
  if (plugins.length === 0 && problems.length === 0 && !hasServers(settings)) return undefined
  return await openTeam(settings, host, notice)
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
  host: Host,
  trust: TrustOptions,
): Promise<Settings> {
  if (!session || session.directory === here.directory) return here
  return readSettings(host, await workDirectory(host, session.directory), trust)
}
