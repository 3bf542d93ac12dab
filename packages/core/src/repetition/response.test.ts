import { describe, expect, it } from "vitest"
import type { Repetition } from "./repetition.ts"
import { respondTo } from "./response.ts"

const block = [
  { tool: "read", key: '{"filePath":"a.ts"}' },
  { tool: "grep", key: '{"pattern":"x"}' },
]
const repetition: Repetition = { kind: "calls", block, times: 3, reason: "unchanged", nudged: false }
const person = { canAsk: true, nudged: false }
const nobody = { canAsk: false, nudged: false }
const named = 'read {"filePath":"a.ts"}, then grep {"pattern":"x"}'

describe("respondTo", () => {
  it("runs what does not repeat itself", () => {
    expect(respondTo(undefined, { response: "stop" }, nobody)).toEqual({ type: "run" })
  })

  it("asks if a person can be asked, and otherwise nudges once and then stops", () => {
    expect(respondTo(repetition, {}, person).type).toBe("ask")
    for (const settings of [{}, { response: "ask" }] as const) {
      expect(respondTo(repetition, settings, nobody).type).toBe("nudge")
      expect(respondTo(repetition, settings, { ...nobody, nudged: true }).type).toBe("stop")
    }
    expect(respondTo(repetition, { response: "stop" }, person).type).toBe("stop")
  })

  it("nudges once for a block, then stops", () => {
    expect(respondTo(repetition, { response: "nudge" }, nobody).type).toBe("nudge")
    const again = respondTo(repetition, { response: "nudge" }, { ...person, nudged: true })
    expect(again).toMatchObject({ type: "stop", message: expect.stringContaining("had been told") as string })
  })

  it("does not ask again at once for what a person has allowed", () => {
    const allowed = { ...person, allowed: 3 }
    expect(respondTo({ ...repetition, times: 5 }, {}, allowed).type).toBe("run")
    expect(respondTo({ ...repetition, times: 6 }, {}, allowed).type).toBe("ask")
  })

  it("names the calls and how often, for people and for the model", () => {
    const asked = respondTo(repetition, {}, person)
    expect(asked).toMatchObject({
      message: expect.stringContaining(`${named} for the 3rd time, with the same`) as string,
    })
    const stopped = respondTo({ ...repetition, times: 21, reason: "changing" }, { response: "stop" }, nobody)
    expect(stopped).toMatchObject({ message: expect.stringMatching(/21st time, and no end.*send a message/) as string })
    const nudge = respondTo({ ...repetition, times: 12 }, { response: "nudge" }, nobody)
    expect(nudge).toMatchObject({
      message: expect.stringContaining(`not run: it would repeat the calls ${named} for the 12th`) as string,
    })
    expect(nudge).toMatchObject({ notice: expect.stringContaining(named) as string })
  })

  it("names a few calls of a large block, and counts the others", () => {
    const large = Array.from({ length: 40 }, (_, at) => ({ tool: "read", key: `${at}` }))
    const asked = respondTo({ ...repetition, block: large }, {}, person)
    expect(asked).toMatchObject({
      message: expect.stringContaining("read 0, read 1, read 2, read 3, and 36 more") as string,
    })
  })

  it("names the settings that change what it does", () => {
    const message = (given: Repetition, response: "ask" | "nudge" | "stop") =>
      (respondTo(given, { response }, { ...nobody, nudged: response !== "stop" }) as { message: string }).message
    const text: Repetition = { kind: "text", chunk: "Again and again.", times: 10 }
    expect(message(repetition, "stop")).toMatch(/permission "doom_loop" to "allow".* "repetition.response" to "nudge"/)
    expect(message(repetition, "ask")).toContain('permission "doom_loop" to "allow"')
    expect(message(repetition, "ask")).not.toContain("repetition.response")
    expect(message(text, "stop")).toContain('"repetition.response" to "nudge"')
    expect(message(text, "nudge")).toContain('"repetition.response" to "stop"')
  })

  it("quotes what a text or the answers repeat, not at any length", () => {
    const texts: Repetition[] = [
      { kind: "text", chunk: `Again\n${"x".repeat(2000)}`, times: 10 },
      { kind: "answers", text: `Again ${"x".repeat(2000)}`, times: 3 },
    ]
    for (const repetition of texts) {
      for (const response of ["ask", "nudge", "stop"] as const) {
        const { message } = respondTo(repetition, { response }, person) as { message: string }
        expect(message).toContain('"Again x')
        expect(message).toContain(`${repetition.times} times`)
        expect(message.length).toBeLessThan(500)
      }
    }
  })
})
