import { setImmediate } from "node:timers/promises"
import { createEngine } from "@pawl/core"
import { definePlugin } from "@pawl/core/plugin"
import { type Model, type ModelEvent, type ModelInfo, ProviderError } from "@pawl/core/provider"
import { memoryStorage } from "@pawl/storage-memory"
import { outputFacts } from "@pawl/tools"
import { type Answer, PROJECT } from "./conversation.ts"
import { type Fixed, type Prompt, serialized, tokensOf } from "./request.ts"
import type { Play } from "./subject.ts"
import { playedTools } from "./tools.ts"

/** Contains the name of the agent that sends the request. */
const AGENT_HEADER = "x-agent"
const SUMMARIZER = "compaction"
/** Turns of the event loop. */
const EVENT_LOOP_TURNS = 50
const CLOCK = Date.UTC(2026, 2, 1)

/**
 * Runs the engine with memory storage and a model that plays the conversation. Returns the fixed start of all requests
 * of the agent. Clearing old outputs does not count as a compaction.
 */
export async function playPawl(play: Play): Promise<Fixed> {
  const { conversation, log } = play
  const storage = memoryStorage()
  const answers = conversation.turns.flatMap((turn) => turn.answers)
  let fixed: Fixed | undefined
  const model = playedModel(play, answers, (request) => (fixed ??= { system: request.system, tools: request.tools }))
  const plugin = definePlugin(() => ({
    "chat.headers": ({ agent }, { headers }) => ({ headers: { ...headers, [AGENT_HEADER]: agent } }),
  }))
  let now = CLOCK
  await using engine = await createEngine({
    storage,
    providers: [
      { id: model.ref.providerID, name: "played", models: async () => [model.info], model: async () => model },
    ],
    model: model.ref,
    tools: playedTools(answers.flatMap(({ calls }) => calls)),
    plugins: [{ id: "mark-agent", plugin }],
    outputFacts,
    now: () => ++now,
    random: () => 0,
  })
  engine.subscribe((event) => {
    if (event.type === "session.compacted" && event.properties.strategy !== "prune") log.compacted()
  })
  const { id } = await engine.createSession({ directory: PROJECT, title: "Retention" })
  const pins: { id: string; text: string; time: { created: number } }[] = []
  for (const { prompt, pin } of conversation.turns) {
    if (pin !== undefined) {
      pins.push({ id: `pin_${pins.length + 1}`, text: pin, time: { created: ++now } })
      await storage.commit(id, [{ type: "session.patch", changes: { pins: [...pins] } }])
    }
    const result = await engine.prompt({ sessionID: id, parts: [{ type: "text", text: prompt }] })
    if (result.type !== "answered") throw new Error(`A turn was not answered: ${JSON.stringify(result).slice(0, 2000)}`)
  }
  if (!fixed) throw new Error("The engine has sent no request.")
  return fixed
}

function playedModel(
  { limits, summarizer, log }: Play,
  answers: readonly Answer[],
  onAgent: (request: Prompt) => void,
): Model {
  const info: ModelInfo = {
    ...{ id: "played", name: "played", limit: { context: limits.window, output: limits.output } },
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  }
  let answered = 0
  return {
    ref: { providerID: "played", modelID: "played" },
    info,
    async *stream(request) {
      const sent = serialized(request)
      const input = tokensOf(sent)
      if (input > limits.window) throw new ProviderError("overflow", `The prompt is too long: ${input} tokens.`)
      if (request.headers[AGENT_HEADER] === SUMMARIZER) {
        log.summarizer(sent)
        yield* eventsOf({ text: summarizer(request), calls: [] }, input)
        return
      }
      onAgent(request)
      const answer = answers[answered]
      if (!answer) throw new Error("The engine asks for more answers than there are.")
      log.agent(sent, answered++ * 2)
      yield { type: "start" }
      // Background work of the engine completes here, so that every run gives the same result.
      for (let turn = 0; turn < EVENT_LOOP_TURNS; turn++) await setImmediate()
      yield* eventsOf(answer, input)
    },
  }
}

function* eventsOf({ text, calls }: Answer, input: number): Generator<ModelEvent> {
  if (text !== "") {
    yield { type: "text-start", id: "text" }
    yield { type: "text-delta", id: "text", text }
    yield { type: "text-end", id: "text" }
  }
  for (const { id, tool, input: args } of calls)
    yield { type: "tool-call", id, name: tool, input: JSON.stringify(args) }
  const output = Math.ceil((text.length + JSON.stringify(calls.map((call) => call.input)).length) / 4)
  const usage = { input, output, reasoning: 0, cache: { read: 0, write: 0 } }
  yield { type: "finish", reason: calls.length > 0 ? "tool-calls" : "stop", usage }
}
