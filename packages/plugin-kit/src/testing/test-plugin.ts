import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import {
  createEngine,
  type Engine,
  type EngineEvent,
  type EngineOptions,
  type Model,
  type ModelRequest,
  type Part,
  type PermissionRule,
  type Plugin,
  type Provider,
  type RunResult,
  type Session,
  type Storage,
  type ToolPart,
} from "@pawl/core"
import { type Reply, scriptedModel } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"

export interface PluginTestOptions {
  /** What the model says, a list of steps for each request. Absent: it is never asked. */
  readonly replies?: readonly Reply[]
  /** The plugin's options, as a configuration would give them. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Texts by path, in the directory that the session works in. */
  readonly files?: Readonly<Record<string, string>>
  /** Absent: everything is allowed. */
  readonly permission?: readonly PermissionRule[]
  /**
   * Tokens of the model's context window. Default: unknown, so that nothing is compacted unless a test calls
   * `engine.compact`.
   */
  readonly window?: number
  /** Of the engine, for what this has no option for. */
  readonly engine?: Partial<Omit<EngineOptions, "storage" | "providers" | "plugins" | "model" | "permission">>
}

export interface PluginProblem {
  readonly hook: string
  readonly message: string
}

/** A plugin at work in an engine of its own. */
export interface PluginTest extends AsyncDisposable {
  readonly engine: Engine
  readonly storage: Storage
  readonly session: Session
  /** Absolute; removed in the end. */
  readonly directory: string
  /** What was sent to the model, in order. */
  readonly requests: readonly ModelRequest[]
  readonly events: readonly EngineEvent[]
  /** What the plugin failed at, in order: a handler that threw, was late, or left something else than its draft. */
  readonly problems: readonly PluginProblem[]
  /** Sends a prompt to the session, and resolves when it is answered. */
  ask(text: string): Promise<RunResult>
  /** What is stored of the session, oldest first. */
  parts(): Promise<Part[]>
  parts<T extends Part["type"]>(type: T): Promise<Extract<Part, { type: T }>[]>
  /** What became of the calls of a tool, oldest first. */
  calls(tool: string): Promise<ToolPart[]>
}

const ID = "plugin"

/**
 * Starts the plugin in an engine with memory storage, a directory of its own, and a model that plays `replies`. Rejects
 * where the plugin does not start. Dispose of it in the end: `await using test = await testPlugin(…)`.
 */
export async function testPlugin(plugin: Plugin, given: PluginTestOptions = {}): Promise<PluginTest> {
  const { replies = [], options = {}, files = {}, permission = [EVERYTHING], window } = given
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-plugin-")))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    for (const [path, text] of Object.entries(files)) await writeText(join(directory, path), text)
    const limit = window === undefined ? undefined : { context: window, output: Math.floor(window / 10) }
    const model = scriptedModel(replies, limit ? { info: { limit } } : {})
    const storage = memoryStorage()
    const engine = await createEngine({
      // Delays between attempts would only make a test long.
      random: () => 0,
      ...given.engine,
      ...{ storage, providers: [only(model)], model: model.ref },
      permission: [{ name: "test", rules: permission }],
      plugins: [{ id: ID, plugin, options }],
    })
    const events: EngineEvent[] = []
    const problems: PluginProblem[] = []
    engine.subscribe((event) => {
      events.push(event)
      if (event.type === "plugin.error") problems.push(toProblem(event.properties))
    })
    const close = async () => {
      await engine.close()
      await remove()
    }
    const failed = problems.find(({ hook }) => hook === "start")
    if (failed) {
      await close()
      throw new Error(`The plugin does not start: ${failed.message}`)
    }
    const session = await engine.createSession({ directory })
    const parts = async (type?: Part["type"]) => {
      const { messages } = await storage.readContext(session.id)
      const all = messages.flatMap((message) => message.parts)
      return type === undefined ? all : all.filter((part) => part.type === type)
    }
    return {
      ...{ engine, storage, session, directory, events, problems, requests: model.requests },
      ask: (text) => engine.prompt({ sessionID: session.id, parts: [{ type: "text", text }] }),
      parts,
      calls: async (tool) => ((await parts("tool")) as ToolPart[]).filter((part) => part.tool === tool),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const EVERYTHING: PermissionRule = { permission: "*", pattern: "*", action: "allow" }

function only(model: Model): Provider {
  return { id: model.ref.providerID, name: "scripted", models: async () => [model.info], model: async () => model }
}

function toProblem({ hook, message }: { readonly hook: string; readonly message: string }): PluginProblem {
  return { hook, message }
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
