import type { ServerResponse } from "node:http"
import type { ModelEvent } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { acme, rawServer, request } from "../test/session.ts"

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const toolCall = { index: 0, id: "c", type: "function", function: { name: "read", arguments: "{}" } }
const frames = [
  choice({ role: "assistant", content: "" }),
  choice({ reasoning_content: "Hm" }),
  choice({ content: "Looking" }),
  choice({ tool_calls: [toolCall] }),
  choice({}, "tool_calls"),
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)

const eventStream = { "content-type": "text/event-stream" }

function atOnce(response: ServerResponse): void {
  response.writeHead(200, eventStream).end(`${frames.join("")}data: [DONE]\n\n`)
}

function pieceByPiece(response: ServerResponse): void {
  const pieces = [...frames, "data: [DONE]\n\n"]
  response.writeHead(200, eventStream)
  const next = () => {
    const piece = pieces.shift()
    if (piece === undefined) return void response.end()
    response.write(piece, () => setTimeout(next, 1))
  }
  next()
}

/** Reads five answers as the engine does: it leaves at an event, and stops the model by its signal. What it saw last. */
async function askUntil(server: { url: string }, last: ModelEvent["type"]): Promise<string[]> {
  const model = await acme(server).model("small")
  const seen: string[] = []
  for (let n = 0; n < 5; n++) {
    const controller = new AbortController()
    for await (const { type } of model.stream(request(), controller.signal)) {
      if (type !== last) continue
      seen.push(type)
      controller.abort()
      break
    }
  }
  return seen
}

describe("the connection of an answer", () => {
  it.each([
    ["at once", atOnce],
    ["piece by piece", pieceByPiece],
  ])("that came %s serves the next request when the reader leaves at its finish", async (_name, answer) => {
    await using server = await rawServer((_request, response) => answer(response))

    expect(await askUntil(server, "finish")).toHaveLength(5)

    expect(server.sockets).toHaveLength(1)
  })

  it("is opened before there is a request where one is to follow", async () => {
    await using server = await rawServer((_request, response) => atOnce(response))
    const model = await acme(server).model("small")

    model.connect?.()
    await expect.poll(() => server.sockets).toHaveLength(1)
    for await (const _event of model.stream(request(), new AbortController().signal));

    expect(server.sockets).toHaveLength(1)
  })

  it.each<ModelEvent["type"]>([
    "start",
    "reasoning-delta",
    "text-delta",
    "tool-input-start",
    "tool-call",
    "finish-step",
  ])("does no harm when the reader leaves at %s", async (last) => {
    await using server = await rawServer((_request, response) => atOnce(response))

    expect(await askUntil(server, last)).toHaveLength(5)

    // Errors that nobody can catch would come by now, and fail the run.
    await new Promise(setImmediate)
  })
})
