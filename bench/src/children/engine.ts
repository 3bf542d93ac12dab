import { type Engine, createEngine, type SessionID } from "@pawl/core"
import { defineTool, type Tool } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"

export interface EngineInput {
  readonly url: string
  readonly database: string
  readonly directory: string
}

export interface OpenEngine extends AsyncDisposable {
  readonly engine: Engine
  /** Asks in a new session and returns once it is answered, with the milliseconds that it took. */
  ask(prompt: string): Promise<number>
}

/** An engine as the CLI composes it, with durable commits, and with one tool that takes no time. */
export async function openEngine({ url, database, directory }: EngineInput): Promise<OpenEngine> {
  const storage = await sqliteStorage({ path: database, durability: "sync" })
  const engine = await createEngine({
    storage,
    tools: [instant],
    providers: [openAICompatible({ id: "local", baseURL: url, models: [{ id: "scripted" }] })],
    model: { providerID: "local", modelID: "scripted" },
  })

  async function ask(prompt: string): Promise<number> {
    const { id } = await engine.createSession({ directory })
    return time(() => answer(engine, id, prompt))
  }

  return {
    engine,
    ask,
    async [Symbol.asyncDispose]() {
      await engine.close()
      await storage.close()
    },
  }
}

async function answer(engine: Engine, sessionID: SessionID, prompt: string): Promise<void> {
  const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: prompt }] })
  if (result.type !== "answered") throw new Error(`The turn was not answered: ${JSON.stringify(result)}`)
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const instant: Tool = defineTool<object>({
  name: "instant",
  description: "Returns at once.",
  inputSchema: { type: "object", properties: { step: { type: "number" } } },
  effect: "pure",
  parse: (input) => input as object,
  execute: async () => ({ title: "instant", output: "Nothing to wait for." }),
})
