import { relative } from "node:path"
import {
  type AskPermission,
  createEngine,
  type Engine,
  type ModelRef,
  type PromptPart,
  type Session,
  type Storage,
} from "@pawl/core"
import type { Host } from "../host.ts"
import { projectAddress } from "../model/connection.ts"
import { loadProviders } from "../model/load-providers.ts"
import { REPLAY, scriptID } from "../model/replay.ts"
import { requireModel } from "../model/require-model.ts"
import { plainLine } from "../render/plain.ts"
import { findSession } from "../session/find-session.ts"
import { requireWhole } from "../session/require-whole.ts"
import { checkAgent, SUMMARIZER } from "../settings/agents.ts"
import { engineOptions, outputDirectory } from "../settings/engine-options.ts"
import { readSettings, type Settings } from "../settings/settings.ts"
import { refusedStorage, storageChoice } from "../settings/storage-choice.ts"
import { checkSupport } from "../settings/unsupported.ts"
import { openStorage } from "../storage/open-storage.ts"
import { attachment } from "./attachment.ts"
import { imageResizer } from "./image-resizer.ts"
import type { TaskRequest } from "./task-request.ts"
import type { AskTrust, TrustOptions } from "../trust/decide-trust.ts"
import { workDirectory } from "./work-directory.ts"

/** Everything that a task needs, open and ready. */
export interface Workshop {
  readonly engine: Engine
  readonly storage: Storage
  readonly model: ModelRef
  readonly settings: Settings
  /** The session to go on with; undefined for a new one. */
  readonly session: Session | undefined
  readonly parts: readonly PromptPart[]
  /** What the user is to know before anything is sent. */
  readonly notices: readonly string[]
  close(): Promise<void>
}

/** Who may be spoken to while the work goes on. */
export interface Bystander {
  /** Absent: what would have to be asked is refused. */
  readonly ask?: AskPermission | undefined
  /** Absent: what a project supplies stays untrusted unless it was trusted before. */
  readonly askTrust?: AskTrust | undefined
  readonly notice: (text: string) => void
}

/** Opens what can be opened side by side. When it rejects nothing stays open, and nothing was stored. */
export async function openWorkshop(
  request: TaskRequest,
  host: Host,
  { ask, askTrust, notice }: Bystander,
): Promise<Workshop> {
  const trust = { flag: request.trust, ask: askTrust }
  const here = await readSettings(host, request.directory, trust)
  const flag = request.storage === undefined ? undefined : { name: "--storage", value: request.storage }
  const opening = openStorage(storageChoice({ ...here, host, flag }))
  const close = () =>
    opening.then(
      (storage) => storage.close(),
      () => undefined,
    )
  try {
    const session =
      request.choice.type === "new" ? undefined : await findSession(await opening, request.choice, request.directory)
    if (session) await requireWhole(session)
    const settings = await settingsOf(session, here, host, trust)
    const unsupported = checkSupport(settings.layers)
    if (!session || request.agent !== undefined) checkAgent(settings, request.agent)
    const model = await chosenModel(request, session, settings, host)
    const [storage, { providers, unusable }, options, parts] = await Promise.all([
      opening,
      loadProviders(model, modelSources(request, settings, host)),
      engineOptions(settings, host, opening),
      promptParts(request, host),
    ])
    const refused = refusedStorage(settings.layers)
    const notices = [
      ...settings.trust.notices,
      ...unsupported,
      ...(refused === undefined ? [] : [refused]),
      ...(unusable === undefined ? [] : [unusable]),
      ...addressNotice(model, request, settings, host),
    ].map(plainLine)
    const agents = (options.agents ?? []).filter(({ name }) => !request.isSummarizer || name !== SUMMARIZER)
    const resizeImage = imageResizer((text) => notice(plainLine(text)))
    const engine = await createEngine({
      ...{ ...options, agents, storage, providers, model, resizeImage },
      ...(ask ? { ask } : {}),
    })
    const { startOutputCleaning } = await import("@pawl/tools")
    const cleaning = startOutputCleaning({ directory: outputDirectory(settings) })
    return {
      ...{ engine, storage, model, settings, session, parts, notices },
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

async function chosenModel(
  { model: { model: flag, baseURL, script }, task, agent: named }: TaskRequest,
  session: Session | undefined,
  { config }: Settings,
  { environment }: Host,
): Promise<ModelRef> {
  if (script !== undefined) return { providerID: REPLAY, modelID: scriptID(script) }
  // What was interrupted is finished by the model that it was asked of.
  if (!task && flag === undefined && session?.model) return session.model
  const hasAddress = Boolean(baseURL ?? environment["PAWL_BASE_URL"])
  const agent = named ?? session?.agent ?? config.default_agent
  // Who asks for an agent that has a model of its own wants both.
  const isItsOwn = named !== undefined && config.agent?.[named]?.model !== undefined
  const last = isItsOwn ? undefined : session?.model
  return requireModel({ flag, environment, session: last, agent, config, hasAddress })
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

function modelSources(
  { model: options, isSummarizer = false }: TaskRequest,
  { config, layers }: Settings,
  { environment, demoDirectory, secrets }: Host,
) {
  const summarizer = isSummarizer ? undefined : config.agent?.[SUMMARIZER]?.model
  return { ...options, environment, demoDirectory, secrets, config, layers, summarizer }
}

async function promptParts({ task }: TaskRequest, { directory }: Host): Promise<PromptPart[]> {
  if (!task) return []
  const attached = await Promise.all(task.files.map((file) => attachment(file, directory)))
  return [{ type: "text", text: task.text }, ...attached.flat()]
}
