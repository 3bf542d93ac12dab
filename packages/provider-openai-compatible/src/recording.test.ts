import { type Model, type ModelEvent, ProviderError } from "@pawl/core/provider"
import { call, cut, modelServer, rateLimit, reasoning, reply, type Reply, text, usage } from "@pawl/model-server"
import { parseScript, recording, replayModel } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { acme, never, request } from "../test/session.ts"

describe("a session with a server, recorded", () => {
  it.each<[string, Reply]>([
    ["text and reasoning", reply(reasoning(["Hm", "."]), text(["It is ", "there."]))],
    [
      "tool calls behind a text",
      reply(text("I look."), call("read", ['{"path":', '"a"}'], { id: "c1" }), call("read", '{"pa', { id: "c2" })),
    ],
    [
      "token counts",
      reply(text("Hi"), usage({ inputTokens: 90, outputTokens: 9, cachedTokens: 60, reasoningTokens: 4 })),
    ],
    ["a refusal", rateLimit({ retryAfter: 3 })],
    ["half an answer", reply(text("Half"), cut())],
  ])("plays back the same parts: %s", async (_name, answer) => {
    await using server = await modelServer({ replies: [answer] })
    const lines: string[] = []

    const live = await parts(recording(await acme(server).model("small"), (line) => lines.push(line)))
    const played = await parts(
      replayModel(parseScript(lines.join("\n"), "recorded"), { providerID: "replay", modelID: "recorded" }),
    )

    expect(live).not.toEqual([])
    expect(played).toEqual(live)
  })
})

/** What an answer leaves behind: its blocks, calls and end, or its error. */
async function parts(model: Model): Promise<unknown[]> {
  const result: unknown[] = []
  const blocks = new Map<string, { type: string; text: string }>()
  try {
    for await (const event of model.stream(request(), never)) add(event)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    result.push({ kind: error.kind, message: error.message, retryAfter: error.details.retryAfter })
  }
  return result

  function add(event: ModelEvent): void {
    switch (event.type) {
      case "text-start":
      case "reasoning-start": {
        const block = { type: event.type, text: "" }
        blocks.set(event.id, block)
        result.push(block)
        break
      }
      case "text-delta":
      case "reasoning-delta": {
        const block = blocks.get(event.id)
        if (block !== undefined) block.text += event.text
        break
      }
      case "tool-call":
      case "finish-step":
      case "finish":
        result.push(event)
        break
      default:
    }
  }
}
