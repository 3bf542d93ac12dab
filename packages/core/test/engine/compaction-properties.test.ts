import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { calls, said, summary, textOf, windowModel } from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"

type Summarizer = "good" | "fails" | "garbage" | "longer" | "overflows" | "empty"

const summarizers: Record<Summarizer, (request: ModelRequest) => string> = {
  good: () => summary(),
  fails: () => {
    throw new Error("The summarizer is broken.")
  },
  garbage: () => "lorem ipsum ".repeat(20),
  longer: (request) => `${summary()}\n${textOf(request)}`,
  overflows: () => {
    throw new ProviderError("overflow", "prompt is too long", { statusCode: 400 })
  },
  empty: () => " ",
}

const scenario = fc.record({
  context: fc.constantFrom(8000, 12_000, 32_000, 128_000, 1_000_000),
  /** Of the window, what the tool definitions take. */
  overhead: fc.double({ min: 0, max: 1.2, noNaN: true }),
  /** Of the window, what each tool output takes. */
  outputs: fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 12 }),
  summarizer: fc.constantFrom<Summarizer>(...(Object.keys(summarizers) as Summarizer[])),
  requestShare: fc.double({ min: 0, max: 0.5, noNaN: true }),
  bytesPerToken: fc.constantFrom(3, 4, 5),
  soft: fc.constantFrom(0.5, 0.75, 1),
})

describe("whatever the window, the overhead, the outputs and the summarizer", () => {
  it("a turn ends: with an answer to a request that was valid and fitted, or with a typed error", async () => {
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ context, overhead, outputs, summarizer, requestShare, bytesPerToken, soft }) => {
          const size = (share: number) => Math.floor(context * share * bytesPerToken)
          const look = testTool("look", async (input) => "o".repeat(size(outputs[Number(input["at"])] ?? 0)), {
            description: "d".repeat(size(overhead)),
            effect: "pure",
          })
          const order: ("agent" | "summary")[] = []
          let step = 0
          const model = windowModel({
            context,
            bytesPerToken,
            agent: () => {
              order.push("agent")
              const at = step++
              return at < outputs.length ? calls("look", { at: `${at}` }, `call_${at}`) : said("Done.")
            },
            summarizer: (request) => {
              order.push("summary")
              return summarizers[summarizer](request)
            },
          })
          await using test = await testEngine({ model, tools: [look], compaction: { soft } })

          const result = await test.ask(`Look. ${"r".repeat(size(requestShare))}`)

          if (result.type !== "answered") {
            expect(result).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
          }
          expect(mostInARow(order)).toBeLessThanOrEqual(3)
          expect(test.events.at(-1)?.type).toBe("session.idle")
          const unfinished = (await test.messages()).filter(
            ({ info }) => info.role === "assistant" && info.time.completed === undefined,
          )
          expect(unfinished).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })
})

function mostInARow(order: readonly ("agent" | "summary")[]): number {
  let most = 0
  let row = 0
  for (const each of order) {
    row = each === "summary" ? row + 1 : 0
    most = Math.max(most, row)
  }
  return most
}
