// A provider of your own. This model answers in capitals, without a network.
import { createEngine } from "@pawl/core"
import { type Model, type ModelInfo, NotFoundError, type Provider } from "@pawl/core/provider"
import { memoryStorage } from "@pawl/storage-memory"

const info: ModelInfo = {
  id: "loud",
  name: "Loud",
  limit: { context: 8000, output: 1000 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  capabilities: { reasoning: false, attachment: false, toolCall: false },
}
const usage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
const loud: Model = {
  ref: { providerID: "capitals", modelID: info.id },
  info,
  async *stream({ messages }) {
    const content = messages.at(-1)?.content ?? []
    const words = content.flatMap((part) => (part.type === "text" ? part.text.toUpperCase().split(" ") : []))
    yield { type: "start" }
    yield { type: "text-start", id: "1" }
    for (const word of words) yield { type: "text-delta", id: "1", text: `${word} ` }
    yield { type: "text-end", id: "1" }
    yield { type: "finish", reason: "stop", usage }
  },
}
const provider: Provider = {
  id: loud.ref.providerID,
  name: "Capitals",
  models: async () => [info],
  async model(id) {
    if (id !== info.id) throw new NotFoundError(`Model "capitals/${id}" is not known. Known: ${info.id}.`)
    return loud
  },
}

const engine = await createEngine({ storage: memoryStorage(), providers: [provider], model: loud.ref })
console.log((await engine.session({ directory: process.cwd() }).prompt("say hello")).text)
await engine.close()
