import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk"
import {
  type Agent,
  builtinAgents,
  createEngine,
  type Engine,
  type EngineEvent,
  type EngineOptions,
  type RunResult,
  type SessionID,
} from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { finish, type Reply, type ScriptedModel, scriptedModel, text } from "@pawl/provider-replay"
import { createServerApp, type LogEntry, type ServerCommand, type Toast } from "@pawl/server"
import { memoryStorage } from "@pawl/storage-memory"
import { type OpenCodeAdapter, opencodeAdapter, type OpenCodeHost } from "../src/index.ts"

export interface RunningOptions extends Partial<Omit<EngineOptions, "storage" | "providers" | "plugins">> {
  /** Modules by the id of their place. */
  readonly modules: Readonly<Record<string, object>>
  readonly options?: Readonly<Record<string, unknown>>
  /** What the model answers, in turn; absent: "Done." each time. */
  readonly replies?: readonly Reply[]
  readonly config?: Config
  readonly host?: Partial<OpenCodeHost>
}

interface Config {
  readonly agent?: Readonly<Record<string, Partial<Agent>>>
  readonly command?: Readonly<Record<string, { readonly template: string; readonly description?: string }>>
  readonly [key: string]: unknown
}

export interface Running extends AsyncDisposable {
  readonly engine: Engine
  readonly storage: Storage
  readonly adapter: OpenCodeAdapter
  readonly model: ScriptedModel
  readonly directory: string
  readonly events: readonly EngineEvent[]
  readonly toasts: readonly Toast[]
  readonly logged: readonly LogEntry[]
  /** As the plugins have left it. */
  readonly config: Config
  readonly sessionID: SessionID
  /** A client of the host's own. */
  readonly client: ReturnType<typeof createOpencodeClient>
  ask(words: string): Promise<RunResult>
}

/** An engine with a scripted model and plugins of OpenCode, whose host heeds what they make of the configuration. */
export async function running(given: RunningOptions): Promise<Running> {
  const { modules, options, replies, config: written = {}, host: other = {}, ...more } = given
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-opencode-")))
  const storage = memoryStorage()
  const model = scriptedModel(replies ?? Array.from({ length: 20 }, () => [text("Done."), finish("stop")]))
  const { ref, info } = model
  const provider = { id: ref.providerID, name: "Replay", models: async () => [info], model: async () => model }
  const toasts: Toast[] = []
  const logged: LogEntry[] = []
  let config = written
  const host: OpenCodeHost = {
    ...{ directory, worktree: directory, version: "9.9.9", project: { id: "project-1", time: { created: 1 } } },
    config: () => config,
    agents: () => [...builtinAgents, ...agentsOf(config)],
    commands: () => commandsOf(config),
    providers: () => [provider],
    log: (entry) => void logged.push(entry),
    toast: (toast) => void toasts.push(toast),
    ...other,
  }
  const adapter = opencodeAdapter(host)
  const plugins = Object.entries(modules).flatMap(([id, module]) =>
    adapter.adapt(module, { id, ...(options && { options }) }),
  )
  const engine = await createEngine({ storage, providers: [provider], model: ref, plugins, ...more })
  const events: EngineEvent[] = []
  engine.subscribe((event) => void events.push(event))
  config = await engine.plugins.config(written)
  engine.update({ agents: [...(more.agents ?? []), ...agentsOf(config)] })
  const { id } = await engine.createSession({ directory })
  const app = createServerApp({ ...host, engine })
  const client = createOpencodeClient({ baseUrl: "http://localhost", fetch: async (request) => app.fetch(request) })
  return {
    ...{ client, engine, storage, adapter, model, directory, events, toasts, logged, sessionID: id },
    get config() {
      return config
    },
    ask: (words) => engine.prompt({ sessionID: id, parts: [{ type: "text", text: words }] }),
    async [Symbol.asyncDispose]() {
      await engine.close()
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function agentsOf({ agent = {} }: Config): Agent[] {
  return Object.entries(agent).map(([name, { description, prompt, mode }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(mode === undefined ? {} : { mode }),
  }))
}

function commandsOf({ command = {} }: Config): ServerCommand[] {
  return Object.entries(command).map(([name, { template, description }]) => ({
    ...{ name, template },
    ...(description === undefined ? {} : { description }),
    expand: async (args) => [{ type: "text", text: template.replaceAll("$ARGUMENTS", args) }],
  }))
}

/** All that a request's messages say. */
export function sentText(model: Pick<ScriptedModel, "requests">, at = -1): string {
  return JSON.stringify(model.requests.at(at)?.messages ?? [])
}
