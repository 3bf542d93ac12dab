import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextBorder } from "./periods.ts"
import { createTextWatch } from "./text.ts"

/** What is found in a text that comes in deltas of this many characters. */
function found(text: string, delta = 7) {
  const watch = createTextWatch()
  for (let at = 0; at < text.length; at += delta) {
    const repetition = watch.append(text.slice(at, at + delta))
    if (repetition) return repetition
  }
  return undefined
}

const sentence = "I will look at the file once more. "
const unlike = Array.from({ length: 400 }, (_, at) => `Step ${at * at} of the plan is number ${at}.`).join("\n")

describe("createTextWatch", () => {
  it("finds a chunk that is repeated ten times at the end, not nine times", () => {
    expect(found(`Well. ${sentence.repeat(9)}`)).toBeUndefined()
    expect(found(`Well. ${sentence.repeat(12)}`)).toMatchObject({ kind: "text", times: 10 })
    expect(found(`Well. ${sentence.repeat(12)}`)?.chunk.length).toBe(sentence.length)
  })

  it("finds chunks of any length from twenty characters on, in any prose, however it is cut into deltas", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{2,9}$/), { minLength: 6, maxLength: 200 })
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 50 }), (list, before, delta) => {
        // A number is in no other place of the chunk: it has no shorter one.
        const chunk = `${list.join(" ")} 7 the end. `
        fc.pre(chunk.length >= 20 && chunk.length <= 1500)
        const text = unlike.slice(0, before) + chunk.repeat(12)
        const one = found(text, delta)
        expect(one?.chunk.length).toBe(chunk.length)
        expect(one).toEqual(found(text, 1))
      }),
      { numRuns: 40 },
    )
  })

  it("finds it long after the text has outgrown what is remembered", () => {
    expect(found(unlike.repeat(2).slice(0, 30_000) + unlike + sentence.repeat(12))).toMatchObject({ times: 10 })
  })

  it("finds it across the place where what is remembered moves on", () => {
    const before = unlike.repeat(3).slice(0, 2 ** 15 - 6 * sentence.length)
    expect(found(before + sentence.repeat(12))).toMatchObject({ times: 10 })
  })

  it("finds a chunk of more than a thousand characters", () => {
    expect(found(unlike.slice(0, 1400).repeat(12))?.chunk.length).toBe(1400)
  })

  it("finds prose that ends with a ruler", () => {
    const prose = "The queue was empty when the worker asked for a job, which nobody had expected to happen so early. "
    const text = `${prose}${"-".repeat(24)}\n`
    // Wherever in the chunk one looks.
    for (let before = 0; before < text.length; before++)
      expect(found(unlike.slice(0, before) + text.repeat(11) + text.slice(0, 20))).toMatchObject({ times: 10 })
  })

  it("finds a chunk of which parts repeat themselves", () => {
    const chunk = "Look at a. Look at a. Look at b. Look at b. Then go. "
    expect(found(chunk.repeat(14))?.chunk.length).toBe(chunk.length)
  })

  it("does not mind what was repeated earlier", () => {
    expect(found(`${sentence.repeat(8)}Now it works.\n${sentence.repeat(8)}`)).toBeUndefined()
  })

  it("says the same from then on", () => {
    const watch = createTextWatch()
    const first = watch.append(sentence.repeat(12))
    expect(first).toBeDefined()
    expect(watch.append("Something else.")).toBe(first)
  })

  it("finds chants", () => {
    expect(found("no no ".repeat(100))).toMatchObject({ kind: "text" })
    expect(found("no no ".repeat(20))).toBeUndefined()
  })

  it("finds sentences in scripts without spaces", () => {
    expect(found("設定ファイルをもう一度確認します。問題の原因を調べています。".repeat(14))).toMatchObject({
      times: 10,
    })
  })

  it.each([
    ["rulers", "-".repeat(3000)],
    ["rulers of two characters", "-=".repeat(1500)],
    ["table rows that are the same", "| worker | idle | never |\n".repeat(30)],
    ["empty table rows", "|          |          |          |\n".repeat(80)],
    ["the sides of a box", `|${" ".repeat(50)}|\n`.repeat(60)],
    ["rows of zeros", "  [0, 0, 0, 0, 0, 0, 0],\n".repeat(200)],
    ["rows of data", '{ name: "anonymous", visits: 0 },\n'.repeat(30)],
    ["lists of values", "null, ".repeat(500)],
    ["base64 of one colour", "A".repeat(3000)],
    ["lines of base64", `${"/".repeat(60)}AAAAAAAAAAAAAAAA\n`.repeat(60)],
    ["code in a fence", "```ts\n" + "await settle the queue and wait\n".repeat(20)],
    ["words in a fence", "```\n" + "no no ".repeat(100)],
    ["code with similar lines", Array.from({ length: 60 }, (_, at) => `  sum += values[${at}]`).join("\n")],
    ["lists of paths", Array.from({ length: 60 }, (_, at) => `packages/core/src/part-${at}/index.ts`).join("\n")],
    ["JSON of one shape", Array.from({ length: 60 }, (_, at) => `{"id":${at},"name":"user"}`).join(",")],
  ])("lets %s pass", (_, text) => {
    expect(found(`Here it is:\n${text}`)).toBeUndefined()
  })

  it("finds code and rows that do not end", () => {
    expect(found("```ts\n" + "    expect(result).toBe(true)\n".repeat(60))).toMatchObject({ times: 40 })
    expect(found("| worker | idle | never |\n".repeat(60))).toMatchObject({ times: 40 })
  })

  it("minds prose again after a fence", () => {
    expect(found("```\nls\n```\n" + sentence.repeat(12))).toMatchObject({ times: 10 })
  })
})

describe("nextBorder", () => {
  it("reads a text of any kind in proportion to its length", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 500 }), (codes) => {
        let reads = 0
        const text = new Proxy(Uint16Array.from(codes), {
          get: (target, name) => {
            reads++
            return Reflect.get(target, name) as number
          },
        })
        const borders = new Int32Array(codes.length + 1)
        for (let count = 1; count <= codes.length; count++) {
          const border = nextBorder(text, codes.length, count, borders)
          const last = codes.slice(-count)
          const longest = last.findIndex((_, at) => at > 0 && last.slice(at).join("") === last.slice(0, -at).join(""))
          expect(border).toBe(longest < 0 ? 0 : count - longest)
        }
        expect(reads).toBeLessThanOrEqual(4 * codes.length)
      }),
      { numRuns: 20 },
    )
  })
})
