// Reads one long answer with the AI SDK's language model alone.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { readInput } from "../measure/input.ts"

export interface StreamDeltas {
  readonly wall: number
  readonly deltas: number
}

const { url, prompt } = readInput() as { url: string; prompt: string }
const provider = createOpenAICompatible({ name: "local", baseURL: url, includeUsage: true })
const model = provider.chatModel("scripted")

await countDeltas("Hello")
const start = performance.now()
const deltas = await countDeltas(prompt)
process.send?.({ wall: performance.now() - start, deltas } satisfies StreamDeltas)
process.disconnect()

async function countDeltas(text: string): Promise<number> {
  const { stream } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text }] }] })
  let count = 0
  for await (const part of stream) if (part.type === "text-delta") count++
  return count
}
