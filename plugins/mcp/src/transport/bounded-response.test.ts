import { expect, it } from "vitest"
import { boundedResponse } from "./bounded-response.ts"

const answer = (chunks: readonly string[], type: string) =>
  new Response(ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk))), { headers: { "content-type": type } })
const endless = (chunk: string) => ({
  *[Symbol.iterator]() {
    for (;;) yield chunk
  },
})

it("gives an answer that is short enough as it is", async () => {
  const response = boundedResponse(answer(["{", "}"], "application/json"), 2)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(await response.json()).toEqual({})
  expect(await boundedResponse(new Response(null, { status: 204 }), 2).text()).toBe("")
})

it("fails where an answer is longer, or an event is", async () => {
  await expect(boundedResponse(answer(["{", " }"], "application/json"), 2).text()).rejects.toThrow(
    "longer than 2 bytes",
  )
  const lines = ReadableStream.from(
    (function* () {
      for (const line of endless("data: x\n")) yield Buffer.from(line)
    })(),
  )
  const response = new Response(lines, { headers: { "content-type": "text/event-stream" } })
  await expect(boundedResponse(response, 1000).text()).rejects.toThrow("longer than 1000 bytes")
})

it("lets a stream of events go on, however they are cut", async () => {
  const chunks = Array.from({ length: 50 }, () => ["data: one\n", "\ndata: two\r\n\r", "\n"]).flat()
  expect(await boundedResponse(answer(chunks, "text/event-stream"), 60).text()).toBe(chunks.join(""))
})
