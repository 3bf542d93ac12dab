import { relative } from "node:path"
import {
  type AskChoice,
  type AskPermission,
  buildAgent,
  createEngine,
  type Engine,
  type EngineOptions,
  type ModelRef,
  permissionRules,
  type PermissionScope,
  type PromptPart,
  type Session,
  type Storage,
  type Tool,
} from "@pawl/core"
import type { Sandbox } from "@pawl/tools"
import type { Host } from "../host.ts"
import { projectAddress } from "../model/connection.ts"
import { loadProviders } from "../model/load-providers.ts"
import { toModelRef } from "../model/model-ref.ts"
import { REPLAY, scriptID } from "../model/replay.ts"
import { requireModel } from "../model/require-model.ts"
import { allCommands, type ChosenCommand, findCommand } from "../prompt/find-command.ts"
import { preparePrompt, subtaskAgent } from "../prompt/prepare-prompt.ts"
import { plainLine } from "../render/plain.ts"
import { findSession } from "../session/find-session.ts"
import { requireWhole } from "../session/require-whole.ts"
import { allAgents, startAgent, SUMMARIZER } from "../settings/agents.ts"
import { type DefinedSettings, withDefinitions } from "../settings/definitions.ts"
import { engineOptions, outputDirectory } from "../settings/engine-options.ts"
import { openSandbox } from "../settings/sandbox.ts"
import { readSettings, type Settings } from "../settings/settings.ts"
import { refusedStorage, storageChoice } from "../settings/storage-choice.ts"
import { titleModel } from "../settings/titles.ts"
import { checkSupport } from "../settings/unsupported.ts"
import { openStorage } from "../storage/open-storage.ts"
import { imageResizer } from "./image-resizer.ts"
import type { TaskRequest } from "./task-request.ts"
import type { AskTrust, TrustOptions } from "../trust/decide-trust.ts"
import { workDirectory } from "./work-directory.ts"

/** Everything that a task needs, open and ready. */
export interface Workshop {
  readonly engine: Engine
  readonly storage: Storage
  readonly model: ModelRef
  readonly settings: DefinedSettings
  /** The rules of the configuration. */
  readonly scopes: readonly PermissionScope[]
  /** The session to go on with; undefined for a new one. */
  readonly session: Session | undefined
  readonly parts: readonly PromptPart[]
  /** That the prompt is for; undefined: the session's own. */
  readonly agent: string | undefined
  /** What the user is to know before anything is sent. */
  readonly notices: readonly string[]
  close(): Promise<void>
}

/** Who may be spoken to while the work goes on. */
export interface Bystander {
  /** Absent: what would have to be asked is refused. */
  readonly ask?: AskPermission | undefined
  /** Absent: tools that ask are not offered, unless somebody elsewhere may answer. */
  readonly askChoice?: AskChoice | undefined
  /** Absent: what a project supplies stays untrusted unless it was trusted before. */
  readonly askTrust?: AskTrust | undefined
  readonly notice: (text: string) => void
  /** Ends what a command of the prompt runs. */
  readonly signal?: AbortSignal
}

/** Opens what can be opened side by side. When it rejects nothing stays open, and nothing was stored. */
export async function openWorkshop(request: TaskRequest, host: Host, bystander: Bystander): Promise<Workshop> {
  const { ask, askChoice, askTrust, notice } = bystander
  const trust = { flag: request.trust, ask: askTrust }
  const here = await readSettings(host, request.directory, trust)
  const flag = request.storage === undefined ? undefined : { name: "--storage", value: request.storage }
  const opening = openStorage(storageChoice({ ...here, host, flag }))
  // Other things are read before it is waited for.
  opening.catch(() => undefined)
  let sandbox: Sandbox | undefined
  const close = async () => {
    await sandbox?.close()
    await opening.then(
      (storage) => storage.close(),
      () => undefined,
    )
  }
  try {
    const session =
      request.choice.type === "new" ? undefined : await findSession(await opening, request.choice, request.directory)
    if (session) await requireWhole(session)
    const settings = await withDefinitions(await settingsOf(session, here, host, trust), host)
    const unsupported = checkSupport(settings.layers)
    const command = chosenCommand(request, settings)
    const agent = agentOf(request, session, command, settings)
    const model = await chosenModel(request, { session, agent, command, settings }, host)
    sandbox = await openSandbox(settings, host)
    const asks = askChoice !== undefined || (request.askPolicy ?? settings.config.ask) === "wait"
    const [storage, { providers, unusable }, configured] = await Promise.all([
      opening,
      loadProviders(model, modelSources(request, { settings, command, model }, host)),
      engineOptions(settings, host, opening, { sandbox, asks }),
    ])
    const options = atWork(configured.options, request, model)
    const work = { request, session, agent, command, settings, options, sandbox }
    const parts = await promptParts(work, host, bystander)
    const refused = refusedStorage(settings.layers)
    const notices = [
      ...settings.trust.notices,
      ...settings.definitions.problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
      ...unsupported,
      ...configured.notices,
      ...(refused === undefined ? [] : [refused]),
      ...(unusable === undefined ? [] : [unusable]),
      ...addressNotice(model, request, settings, host),
    ].map(plainLine)
    const resizeImage = imageResizer((text) => notice(plainLine(text)))
    const engine = await createEngine({
      ...{ ...options, storage, providers, model, resizeImage },
      ...(ask ? { ask } : {}),
      ...(askChoice ? { askChoice } : {}),
      ...(request.askPolicy ? { askPolicy: request.askPolicy } : {}),
      ...(request.limits ? { limits: { ...options.limits, ...request.limits } } : {}),
    })
    const { startOutputCleaning } = await import("@pawl/tools")
    const cleaning = startOutputCleaning({ directory: outputDirectory(settings) })
    return {
      ...{ engine, storage, model, settings, session, parts, agent, notices, scopes: options.permission ?? [] },
      async close() {
        await Promise.all([engine.close(), cleaning.stop()])
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type ConfiguredOptions = Omit<EngineOptions, "storage" | "providers">

/** What a request changes of what the configuration says. */
function atWork(
  { titleModel, ...options }: ConfiguredOptions,
  request: TaskRequest,
  model: ModelRef,
): ConfiguredOptions {
  // Who plays the model from a script wants no other one asked.
  const isNamed = titleModel !== undefined && model.providerID !== REPLAY
  const agents = (options.agents ?? []).filter(({ name }) => !request.isSummarizer || name !== SUMMARIZER)
  return { ...options, agents, ...(isNamed ? { titleModel } : {}) }
}

/** A session is worked on where it began, with the configuration of that place. */
async function settingsOf(
  session: Session | undefined,
  here: Settings,
  host: Host,
  trust: TrustOptions,
): Promise<Settings> {
  if (!session || session.directory === here.directory) return here
  return readSettings(host, await workDirectory(host, session.directory), trust)
}

function chosenCommand({ task }: TaskRequest, { definitions, directory }: DefinedSettings): ChosenCommand | undefined {
  const { text = "", typed = "", command: name } = task ?? {}
  if (name === undefined && !typed.trimStart().startsWith("/")) return undefined
  const found = findCommand({ typed, name }, allCommands(definitions), directory)
  // What comes from stdin belongs to the arguments.
  const rest = text.slice(typed.length).trim()
  return found && { ...found, arguments: [found.arguments, rest].filter((each) => each !== "").join("\n\n") }
}

/** Undefined for the session's own. Throws UsageError for one that is not the user's to choose. */
function agentOf(
  { agent: flag, task }: TaskRequest,
  session: Session | undefined,
  chosen: ChosenCommand | undefined,
  settings: DefinedSettings,
): string | undefined {
  if (flag !== undefined) return startAgent(settings, { name: flag, by: "--agent" })
  const wanted = chosen && !isSubtask(chosen, settings) ? chosen.command.agent : undefined
  if (wanted !== undefined) return startAgent(settings, { name: wanted, by: `the agent of /${chosen?.command.name}` })
  return session || !task ? undefined : startAgent(settings)
}

function isSubtask(chosen: ChosenCommand, { config }: DefinedSettings): boolean {
  return subtaskAgent(chosen, { agents: allAgents(config.agent) }) !== undefined
}

interface ModelChoice {
  readonly session: Session | undefined
  readonly agent: string | undefined
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
}

async function chosenModel(
  { model: { model: flag, baseURL, script }, task, agent: named }: TaskRequest,
  { session, agent, command, settings }: ModelChoice,
  { environment }: Host,
): Promise<ModelRef> {
  const { config } = settings
  if (script !== undefined) return { providerID: REPLAY, modelID: scriptID(script) }
  // What was interrupted is finished by the model that it was asked of.
  if (!task && flag === undefined && session?.model) return session.model
  const hasAddress = Boolean(baseURL ?? environment["PAWL_BASE_URL"])
  const wanted = command && !isSubtask(command, settings) ? command.command.model : undefined
  if (flag === undefined && wanted !== undefined) return requireModel({ flag: wanted, environment, config, hasAddress })
  // Who asks for an agent that has a model of its own wants both.
  const isAsked = named !== undefined || (command?.command.agent !== undefined && agent === command.command.agent)
  const isItsOwn = isAsked && agent !== undefined && config.agent?.[agent]?.model !== undefined
  const last = isItsOwn ? undefined : session?.model
  return requireModel({ flag, environment, session: last, agent: agent ?? session?.agent, config, hasAddress })
}

/** A project that chooses the server gets to read whatever is said to it. */
function addressNotice(
  { providerID }: ModelRef,
  { model: options, directory }: TaskRequest,
  { config, layers }: Settings,
  { environment }: Host,
): string[] {
  if (providerID === REPLAY) return []
  const address = projectAddress(providerID, { ...options, environment, config, layers })
  if (!address) return []
  const file = relative(directory, address.file)
  return [`model server ${address.baseURL} comes from ${file.startsWith("..") ? file : `./${file}`}`]
}

interface ModelNeeds {
  readonly settings: DefinedSettings
  readonly command: ChosenCommand | undefined
  readonly model: ModelRef
}

function modelSources(
  { model: options, isSummarizer = false }: TaskRequest,
  { settings: { config, layers }, command, model }: ModelNeeds,
  { environment, demoDirectory, secrets }: Host,
) {
  const summarizer = isSummarizer ? undefined : config.agent?.[SUMMARIZER]?.model
  const titler = model.providerID === REPLAY ? undefined : titleModel(config)
  const written = Object.entries(config.agent ?? {}).flatMap(([name, { model: own }]) => {
    return own === undefined || name === SUMMARIZER ? [] : [own]
  })
  const refs = [...written, ...(command?.command.model === undefined ? [] : [command.command.model])].map(toModelRef)
  const others = [...refs, titler].filter((ref) => ref !== undefined)
  return { ...options, environment, demoDirectory, secrets, config, layers, summarizer, others }
}

interface Work {
  readonly request: TaskRequest
  readonly session: Session | undefined
  readonly agent: string | undefined
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
  readonly options: ConfiguredOptions
  readonly sandbox: Sandbox | undefined
}

async function promptParts(
  { request: { task }, session, agent, command, settings, options, sandbox }: Work,
  { directory: here }: Host,
  { ask, signal }: Bystander,
): Promise<PromptPart[]> {
  if (!task) return []
  const { directory, worktree, config, trust } = settings
  const agents = new Map([
    ...allAgents(config.agent),
    ...(options.agents ?? []).map((each) => [each.name, each] as const),
  ])
  const name = agent ?? session?.agent ?? buildAgent.name
  const rules = permissionRules(
    { agents, permission: options.permission ?? [] },
    agents.get(name) ?? { name },
    session ?? {},
    [],
  )
  const bash = options.tools?.find((tool) => tool.name === "bash") as Tool
  return preparePrompt(
    task,
    command,
    {
      ...{ agents, rules, bash, ask, directory, worktree, sandbox, signal, isTrusted: trust.isTrusted },
      environment: options.environment ?? {},
    },
    here,
  )
}
