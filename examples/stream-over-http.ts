// Streams events: curl -N -H "Authorization: Bearer $TOKEN" -d "What is this project?" http://127.0.0.1:8080
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { createEngine } from "@pawl/core"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { builtinTools } from "@pawl/tools"

const engine = await createEngine({
  storage: await sqliteStorage({ path: process.env.DATABASE ?? "sessions.db" }),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
})
const token = process.env.TOKEN ?? randomUUID() // Without it, any web page could send prompts to this server.

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
  const session = engine.session({ directory: process.cwd() })
  const run = new AbortController()
  const failed = (error: unknown) => ({ type: "failed", text: String(error) })
  const result = session.prompt(await text(request)).catch(failed)
  void result.finally(() => run.abort())
  response.writeHead(200, { "content-type": "text/event-stream" }).on("close", () => void session.abort())
  for await (const event of session.events({ signal: run.signal })) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end(`event: end\ndata: ${JSON.stringify(await result)}\n\n`)
}
const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log(server.address(), token))
