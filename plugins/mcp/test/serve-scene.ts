import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { createEngine, type Engine } from "@pawl/core"
import type { AskPolicy } from "@pawl/core/host"
import type { Model } from "@pawl/core/provider"
import { defineTool } from "@pawl/core/tool"
import { call, finish, type Reply, scriptedModel, stall, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { onTestFinished } from "vitest"
import { type Prompters, serveSessionsOverHTTP } from "../src/serve/index.ts"

export const TOKEN = "a-token-for-tests"

export interface ToolAnswer {
  readonly isError?: boolean
  readonly structuredContent: Readonly<Record<string, unknown>>
}

export interface TestClient {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  /** What its user was asked. */
  readonly asked: readonly string[]
  readonly tool: (name: string, args?: object, options?: Parameters<Client["callTool"]>[2]) => Promise<ToolAnswer>
}

/** What a model does with a prompt: `touch` asks for a permission first, `wait` is never done, all else is said back. */
function replyTo(prompt: string, hasResult: boolean): Reply {
  if (hasResult) return [text("Touched."), finish("stop")]
  if (prompt.startsWith("touch")) return [call("touch", {}), finish("tool-calls")]
  if (prompt.startsWith("wait")) return [stall()]
  return [text(`You said: ${prompt}`), finish("stop")]
}

function echoingModel(): Model {
  const { ref, info } = scriptedModel([])
  return {
    ...{ ref, info },
    stream(request, signal) {
      const said = request.messages.findLast(({ role }) => role === "user")?.content ?? []
      const prompt = said.map((part) => ("text" in part ? part.text : "")).join("")
      const hasResult = request.messages.at(-1)?.role === "tool"
      return scriptedModel([replyTo(prompt, hasResult)]).stream(request, signal)
    },
  }
}

/** Engines over one storage, served over HTTP until the test ends. */
export async function serveScene(askPolicy: AskPolicy = "deny") {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-serve-"))
  const storage = memoryStorage()
  const opened: { readonly engine: Engine; readonly people: Prompters }[] = []
  const model = echoingModel()
  const { ref, info } = model
  const touch = defineTool<object>({
    name: "touch",
    description: "Touches it.",
    inputSchema: { type: "object" },
    effect: "pure",
    parse: () => ({}),
    execute: async () => ({ title: "touch", output: "touched", metadata: {} }),
  })
  const end = new AbortController()
  const { promise: url, resolve } = Promise.withResolvers<string>()
  const serving = serveSessionsOverHTTP(
    {
      version: "1",
      async open(people) {
        const engine = await createEngine({
          ...{ ...people, storage, askPolicy, model: ref, tools: [touch] },
          providers: [{ id: ref.providerID, name: "replay", models: async () => [info], model: async () => model }],
          permission: [{ name: "test", rules: [{ permission: "touch", pattern: "*", action: "ask" }] }],
        })
        opened.push({ engine, people })
        return { engine, directory, model: ref }
      },
    },
    { port: 0, token: TOKEN, signal: end.signal, onListening: resolve },
  )
  await Promise.race([url, serving])
  const close = async () => {
    end.abort()
    await serving
    await Promise.all(opened.map(({ engine }) => engine.close()))
  }
  onTestFinished(async () => {
    await close()
    await rm(directory, { recursive: true, force: true })
  })

  async function connect(answer?: "once" | "reject"): Promise<TestClient> {
    const asked: string[] = []
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: answer ? { elicitation: { form: {} } } : {} },
    )
    if (answer) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message)
        return { action: "accept", content: { answer } }
      })
    }
    const transport = new StreamableHTTPClientTransport(new URL(await url), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    return {
      ...{ client, transport, asked },
      tool: async (name, args = {}, options) =>
        (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as unknown as ToolAnswer,
    }
  }

  return { url: await url, connect, opened, end, serving, close }
}
