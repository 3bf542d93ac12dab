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
  /** Runs a prompt in a new session. Returns the milliseconds until it is answered. */
  ask(prompt: string): Promise<number>
}

/** Creates an engine like the CLI's, with durable commits and one tool that takes no time. */
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
