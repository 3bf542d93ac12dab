// The AI SDK alone makes the same calls, with two durable commits per step: the minimum to record that a call runs and
// that it has ended. Starts with a recorded request of another client.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { ChatRequest } from "@pawl/model-server"
import { DatabaseSync } from "node:sqlite"
import { readInput } from "../measure/input.ts"
import { type Prompt, toPrompt } from "../model/to-prompt.ts"

const { url, database, firstBody } = readInput() as { url: string; database: string; firstBody: string }
const body = JSON.parse(firstBody) as ChatRequest
const model = createOpenAICompatible({ name: "local", baseURL: url, includeUsage: true }).chatModel("scripted")
const tools = (body.tools ?? []).map(({ function: { name, description = "", parameters } }) => {
  return { type: "function" as const, name, description, inputSchema: parameters as object }
})
const prompt = toPrompt(body)

const db = new DatabaseSync(database)
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE message (data TEXT)")
const insert = db.prepare("INSERT INTO message VALUES (?)")

for (;;) {
  const calls = await ask()
  if (calls.length === 0) break
  store({ role: "assistant", content: calls })
  const output = { type: "text" as const, value: "Nothing to wait for." }
  const results = calls.map(({ toolCallId, toolName }) => ({
    type: "tool-result" as const,
    toolCallId,
    toolName,
    output,
  }))
  store({ role: "tool", content: results })
}
db.close()
process.send?.("done")
process.disconnect()

async function ask() {
  const { stream } = await model.doStream({ prompt, tools })
  const calls = []
  for await (const part of stream) {
    if (part.type !== "tool-call") continue
    const { type, toolCallId, toolName, input } = part
    calls.push({ type, toolCallId, toolName, input: JSON.parse(input) as unknown })
  }
  return calls
}

function store(message: Prompt[number]): void {
  prompt.push(message)
  insert.run(JSON.stringify(message))
}
