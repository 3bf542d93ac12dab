import { execFileSync } from "node:child_process"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { createOpencodeClient as createNewerClient } from "@opencode-ai/sdk/v2"
import { builtinAgents, createEngine, type Engine, type EngineOptions } from "@pawl/core"
import type { ModelInfo } from "@pawl/core/provider"
import type { Storage } from "@pawl/core/storage"
import { finish, type Reply, scriptedModel, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { bundledRipgrep } from "@pawl/tools"
import type { Hono } from "hono"
import { createServerApp, createServerEvents, type LogEntry, type ServerHost, type Toast } from "../src/index.ts"

export interface ServingOptions extends Partial<Omit<EngineOptions, "storage" | "providers">> {
  /** What the model answers, in turn; absent: "Done." each time. */
  readonly replies?: readonly Reply[]
  /** What differs in the model's description. */
  readonly info?: Partial<ModelInfo>
  readonly host?: Partial<ServerHost>
  /** Default: one in memory */
  readonly storage?: Storage
}

export interface Serving extends AsyncDisposable {
  readonly app: Hono
  readonly host: ServerHost
  readonly engine: Engine
  readonly client: ReturnType<typeof createOpencodeClient>
  readonly directory: string
  readonly model: ReturnType<typeof scriptedModel>
  readonly logged: readonly LogEntry[]
  readonly toasts: readonly Toast[]
  readonly said: readonly { readonly type: string; readonly properties: Readonly<Record<string, unknown>> }[]
}

/** Makes the directory a repository with one commit. */
const REPOSITORY = `git init --quiet --initial-branch=trunk --template= && git add . &&
  git -c user.name=t -c user.email=t@t -c maintenance.auto=false commit --quiet --message=first`

/** The app over an engine with a scripted model in a work tree of its own, and OpenCode's client in front of it. */
export async function serving({
  replies,
  info: more,
  host: given = {},
  storage = memoryStorage(),
  ...options
}: ServingOptions = {}): Promise<Serving> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-server-")))
  await writeFile(join(directory, "read.me"), "one\ntwo\n")
  await writeFile(join(directory, ".gitignore"), "ignored.txt\n")
  // One process: starting one is much of a short test.
  execFileSync("sh", ["-c", REPOSITORY], { cwd: directory })
  const model = scriptedModel(replies ?? Array.from({ length: 20 }, () => [text("Done."), finish("stop")]))
  const { ref } = model
  const info = { ...model.info, ...more }
  const described = { ...model, info }
  const provider = { id: ref.providerID, name: "Replay", models: async () => [info], model: async () => described }
  const engine = await createEngine({ storage, providers: [provider], model: ref, ...options })
  const logged: LogEntry[] = []
  const toasts: Toast[] = []
  const host: ServerHost = {
    ...{ engine, directory, worktree: directory, version: "9.9.9" },
    project: { id: "project-1", vcs: "git", time: { created: 1 } },
    config: () => ({ model: "replay/scripted", storage: "memory:", agent: { build: { delegates: [], steps: 3 } } }),
    agents: () => builtinAgents,
    commands: () => [],
    providers: () => [provider],
    log: (entry) => void logged.push(entry),
    toast: (toast) => void toasts.push(toast),
    ripgrep: bundledRipgrep,
    ...given,
  }
  const events = createServerEvents(engine, { directory })
  const said: Serving["said"][number][] = []
  events.subscribe((event) => void said.push(event))
  const app = createServerApp(host, events)
  const client = createOpencodeClient({
    ...{ baseUrl: "http://localhost:4096", directory },
    fetch: async (request) => app.fetch(request),
  })
  return {
    ...{ app, host, engine, client, directory, model, logged, toasts, said },
    async [Symbol.asyncDispose]() {
      events.close()
      await engine.close()
      await storage.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** OpenCode's client with its newer interface in front of an app. */
export function newerClient({ app }: Pick<Serving, "app">) {
  return createNewerClient({
    baseUrl: "http://localhost:4096",
    fetch: async (request) => app.fetch(new Request(request)),
  })
}

/** Returns the status of an answer of the newer interface, and the error of a failed request. */
export async function failed(answer: Promise<{ error?: unknown; response?: Response }>) {
  const { error, response } = await answer
  return [response?.status, error]
}

/** What the client got, or the error in its place. */
export function got<T>(answer: { readonly data?: T | undefined; readonly error?: unknown }): T {
  if (answer.data === undefined) throw new Error(`The request failed: ${JSON.stringify(answer.error)}`)
  return answer.data
}
