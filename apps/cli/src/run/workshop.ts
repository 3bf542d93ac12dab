import {
  type AskChoice,
  type AskPermission,
  createEngine,
  type Engine,
  type EngineOptions,
  type ModelRef,
  type PermissionScope,
  type PromptPart,
  type Session,
  type Storage,
} from "@pawl/core"
import type { Sandbox } from "@pawl/tools"
import type { Host } from "../host.ts"
import { loadProviders } from "../model/load-providers.ts"
import { REPLAY } from "../model/replay.ts"
import { plainLine } from "../render/plain.ts"
import { findSession } from "../session/find-session.ts"
import { requireWhole } from "../session/require-whole.ts"
import { SUMMARIZER } from "../settings/agents.ts"
import { type DefinedSettings, withDefinitions } from "../settings/definitions.ts"
import { engineOptions, outputDirectory } from "../settings/engine-options.ts"
import { openSandbox } from "../settings/sandbox.ts"
import { readSettings, type Settings } from "../settings/settings.ts"
import { refusedStorage, storageChoice } from "../settings/storage-choice.ts"
import { checkSupport } from "../settings/unsupported.ts"
import { openStorage } from "../storage/open-storage.ts"
import { imageResizer } from "./image-resizer.ts"
import { promptParts } from "./prompt-parts.ts"
import { agentOf, chosenCommand } from "./run-agent.ts"
import { addressNotice, chosenModel, modelSources } from "./run-model.ts"
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
    const { running } = configured
    const work = { request, session, agent, command, settings, options, sandbox, running }
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
