import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createEngine, type EngineOptions, type RunResult } from "@pawl/core"
import type { Engine, EngineEvent, Plugin } from "@pawl/core/plugin"
import type { Model, ModelRequest, Provider } from "@pawl/core/provider"
import type { Part, PermissionRule, Session, ToolPart } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { type Reply, scriptedModel } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"

export interface PluginTestOptions {
  /** The model's replies, a list of steps per request. Default: none, for tests without prompts. */
  readonly replies?: readonly Reply[]
  /** Options of the plugin, as in a configuration. */
  readonly options?: Readonly<Record<string, unknown>>
  /** File contents by path in the session's directory. */
  readonly files?: Readonly<Record<string, string>>
  /** Default: everything is allowed. */
  readonly permission?: readonly PermissionRule[]
  /** Further options of the engine. */
  readonly engine?: Partial<Omit<EngineOptions, "storage" | "providers" | "plugins" | "model" | "permission">>
}

export interface PluginProblem {
  readonly hook: string
  readonly message: string
}

/** A plugin in its own engine. */
export interface PluginTest extends AsyncDisposable {
  readonly engine: Engine
  readonly storage: Storage
  readonly session: Session
  /** Absolute path. Removed at the end. */
  readonly directory: string
  /** Requests to the model, in order. */
  readonly requests: readonly ModelRequest[]
  readonly events: readonly EngineEvent[]
  /** Failures of the plugin, in order: a handler threw, took too long, or returned an invalid draft. */
  readonly problems: readonly PluginProblem[]
  /** Sends a prompt to the session and waits for the answer. */
  ask(text: string): Promise<RunResult>
  /** Returns the session's stored parts, oldest first. */
  parts(): Promise<Part[]>
  parts<T extends Part["type"]>(type: T): Promise<Extract<Part, { type: T }>[]>
  /** Returns the calls of a tool, oldest first. */
  calls(tool: string): Promise<ToolPart[]>
}

const ID = "plugin"

/**
 * Starts the plugin in an engine with memory storage, a new directory, and a model that plays `replies`. Rejects if the
 * plugin does not start. Dispose of it at the end: `await using test = await testPlugin(…)`.
 */
export async function testPlugin(plugin: Plugin, testOptions: PluginTestOptions = {}): Promise<PluginTest> {
  const { replies = [], options = {}, files = {}, permission = [EVERYTHING] } = testOptions
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-plugin-")))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    for (const [path, text] of Object.entries(files)) await writeText(join(directory, path), text)
    const model = scriptedModel(replies)
    const storage = memoryStorage()
    const engine = await createEngine({
      // Delays between retries would only make a test slow.
      random: () => 0,
      ...testOptions.engine,
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
