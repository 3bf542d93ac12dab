import { relative } from "node:path"
import {
  type AskPermission,
  buildAgent,
  createEngine,
  type Engine,
  type ModelRef,
  type PromptPart,
  type Session,
  type Storage,
} from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { projectAddress } from "../model/connection.ts"
import { loadProvider } from "../model/load-provider.ts"
import { REPLAY, scriptID } from "../model/replay.ts"
import { requireModel } from "../model/require-model.ts"
import { plainLine } from "../render/plain.ts"
import { findSession } from "../session/find-session.ts"
import { engineOptions } from "../settings/engine-options.ts"
import { layerOf } from "../settings/layer.ts"
import { readSettings, type Settings } from "../settings/settings.ts"
import { refusedStorage, storageChoice } from "../settings/storage-choice.ts"
import { checkSupport } from "../settings/unsupported.ts"
import { openStorage } from "../storage/open-storage.ts"
import { attachment } from "./attachment.ts"
import type { TaskRequest } from "./task-request.ts"
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

/** Opens what can be opened side by side. When it rejects nothing stays open, and nothing was stored. */
export async function openWorkshop(
  request: TaskRequest,
  host: Host,
  ask: AskPermission | undefined,
): Promise<Workshop> {
  const here = await readSettings(host, request.directory)
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
    const settings = await settingsOf(session, here, host)
    const unsupported = checkSupport(settings.layers)
    if (!session) checkAgent(settings)
    const model = await chosenModel(request, session, settings, host)
    const [storage, provider, options, parts] = await Promise.all([
      opening,
      provideModel(model, request, settings, host),
      engineOptions(settings, host.home),
      promptParts(request, host),
    ])
    const refused = refusedStorage(settings.layers)
    const notices = [
      ...unsupported,
      ...(refused === undefined ? [] : [refused]),
      ...addressNotice(model, request, settings, host),
    ].map(plainLine)
    const engine = await createEngine({ ...options, storage, providers: [provider], model, ...(ask ? { ask } : {}) })
    return {
      ...{ engine, storage, model, settings, session, parts, notices },
      async close() {
        await engine.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A session is worked on where it began, with the configuration of that place. */
async function settingsOf(session: Session | undefined, here: Settings, host: Host): Promise<Settings> {
  if (!session || session.directory === here.directory) return here
  return readSettings(host, await workDirectory(host, session.directory))
}

async function chosenModel(
  { model: { model: flag, baseURL, script }, task }: TaskRequest,
  session: Session | undefined,
  { config }: Settings,
  { environment }: Host,
): Promise<ModelRef> {
  if (script !== undefined) return { providerID: REPLAY, modelID: scriptID(script) }
  // What was interrupted is finished by the model that it was asked of.
  if (!task && session?.model) return session.model
  const hasAddress = Boolean(baseURL ?? environment["PAWL_BASE_URL"])
  const agent = session?.agent ?? config.default_agent
  return requireModel({ flag, environment, session: session?.model, agent, config, hasAddress })
}

/** Checked here, so that a name which nobody has leaves no empty session behind. */
function checkAgent({ config: { agent = {}, default_agent: name }, layers }: Settings): void {
  const known = [...new Set([buildAgent.name, ...Object.keys(agent)])]
  if (name === undefined || known.includes(name)) return
  const source = layerOf(layers, (config) => config.default_agent)?.source
  throw new UsageError(
    `${source}: "default_agent" is "${name}", and there is no such agent. Known: ${known.join(", ")}.`,
  )
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

/** The model is asked for here, so that one that does not exist leaves no empty session behind. */
async function provideModel(
  model: ModelRef,
  { model: options }: TaskRequest,
  { config, layers }: Settings,
  host: Host,
) {
  const { environment, demoDirectory } = host
  const provider = await loadProvider(model, { ...options, environment, demoDirectory, config, layers })
  await provider.model(model.modelID)
  return provider
}

async function promptParts({ task }: TaskRequest, { directory }: Host): Promise<PromptPart[]> {
  if (!task) return []
  const attached = await Promise.all(task.files.map((file) => attachment(file, directory)))
  return [{ type: "text", text: task.text }, ...attached.flat()]
}
