// Sends the messages of a request with the AI SDK alone, in a new process like a command's. Reports when it started.
import { readFile } from "node:fs/promises"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { ChatRequest } from "@pawl/model-server"
import { readInput } from "../measure/input.ts"
import { type Prompt, toPrompt } from "../model/to-prompt.ts"

const { url, request } = readInput() as { url: string; request: string }
const model = createOpenAICompatible({ name: "local", baseURL: url, includeUsage: true }).chatModel("scripted")
const prompt = toPrompt(JSON.parse(await readFile(request, "utf8")) as ChatRequest)

// The first request loads code, which does not count.
await send([{ role: "user", content: [{ type: "text", text: "Hello" }] }])
const started = performance.timeOrigin + performance.now()
await send(prompt)
process.send?.(started)
process.disconnect()

async function send(messages: Prompt): Promise<void> {
  const { stream } = await model.doStream({ prompt: messages })
  for await (const _part of stream);
}
