import { setTimeout as sleep } from "node:timers/promises"
import { createEngine } from "@pawl/core"
import type { ModelEvent, ModelInfo, Provider } from "@pawl/core/provider"
import { noTokens } from "@pawl/core/record"
import type { MaintainedStorage } from "@pawl/core/storage"
import { variedWords } from "../model/varied-words.ts"

const TOKENS_AT_ONCE = 20
const PAUSE_MS = 10

/** Lets an engine stream an answer of `tokens` tokens into the storage at the speed of a fast model. */
export async function streamAnswer(storage: MaintainedStorage, directory: string, tokens: number): Promise<void> {
  const model = { providerID: "scripted", modelID: "scripted" }
  await using engine = await createEngine({ storage, providers: [scripted(tokens)], model })
  const { id } = await engine.createSession({ directory, title: "An answer" })
  const result = await engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Tell me." }] })
  if (result.type !== "answered") throw new Error(`The turn was not answered: ${JSON.stringify(result)}`)
}

function scripted(tokens: number): Provider {
  const info: ModelInfo = {
    ...{ id: "scripted", name: "scripted", limit: { context: 0, output: 0 } },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: false },
  }
  return {
    ...{ id: "scripted", name: "scripted" },
    models: async () => [info],
    model: async (modelID) => ({
      ref: { providerID: "scripted", modelID },
      info,
      stream: () => stream(tokens),
    }),
  }
}

async function* stream(tokens: number): AsyncGenerator<ModelEvent> {
  yield { type: "text-start", id: "text" }
  for (let sent = 0; sent < tokens; sent++) {
    if (sent % TOKENS_AT_ONCE === 0) await sleep(PAUSE_MS)
    yield { type: "text-delta", id: "text", text: variedWords[sent % variedWords.length] ?? "" }
  }
  yield { type: "text-end", id: "text" }
  yield { type: "finish", reason: "stop", usage: noTokens }
}
