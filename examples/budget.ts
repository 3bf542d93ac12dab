// Limits what a run may use, and lets the user decide at the limit whether it continues.
import { createInterface } from "node:readline"
import { createEngine } from "@pawl/core"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools } from "@pawl/tools"

const engine = await createEngine({
  storage: memoryStorage(),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
  // Of a run: answered requests, US dollars, and milliseconds. The session's tokens count over all of its runs.
  limits: { steps: 2, cost: 0.5, deadline: 10 * 60_000, session: { tokens: 1_000_000 } },
})
const session = engine.session({ directory: process.cwd() })
const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()

let result = await session.prompt(process.argv[2] ?? "Describe each file of this project.")
while (result.type === "steps-spent") {
  console.log(`Stopped after ${result.steps} steps. Continue? (yes/no)`)
  if ((await lines.next()).value !== "yes") break
  result = await session.resume()
}
console.log(result.type, result.text)

let cost = 0
for await (const { info } of session.messages()) if (info.role === "assistant") cost += info.cost
console.log(`cost: $${cost.toFixed(2)}`)
input.close()
await engine.close()
