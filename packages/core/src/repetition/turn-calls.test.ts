import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import type { AssistantMessage, MessageWithParts, ToolPart, ToolState, UserMessage } from "../record/message.ts"
import { complete, fail, pending, run } from "../contracts/tool-state.ts"
import { MAX_UNITS } from "./calls.ts"
import { createCallsOfTurn } from "./turn-calls.ts"
import type { AnswerUnit } from "./unit.ts"

const sessionID = "ses_1"
const model = { providerID: "acme", modelID: "small" }
const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
const id = (number: number) => `msg_${String(number).padStart(3, "0")}` as const

function user(number: number, synthetic = false): MessageWithParts<UserMessage> {
  const owner = { id: `prt_${number}`, sessionID, messageID: id(number) } as const
  const info = { id: id(number), sessionID, role: "user", time: { created: 1 }, agent: "build", model } as const
  return { info, parts: [{ ...owner, type: "text", text: "Go.", ...(synthetic ? { synthetic } : {}) }] }
}
function marker(number: number): MessageWithParts<UserMessage> {
  const made = user(number)
  const owner = { id: `prt_${number}_c`, sessionID, messageID: id(number) } as const
  return { ...made, parts: [{ ...owner, type: "compaction", auto: true }, ...made.parts] }
}
function answer(number: number, parent: number, ...states: ToolState[]): MessageWithParts<AssistantMessage> {
  const written = { ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens }
  const info = { id: id(number), sessionID, role: "assistant", parentID: id(parent), time: { created: 1 } } as const
  return { info: { ...info, ...written }, parts: states.map((state, at) => part(number, at, state)) }
}
function part(number: number, at: number, state: ToolState): ToolPart {
  const owner = { id: `prt_${number}_${at}`, sessionID, messageID: id(number) } as const
  return { ...owner, type: "tool", callID: `${number}_${at}`, tool: "read", state }
}
const running = (path: string) => run(pending(""), { path }, 1)
const done = (path: string) => complete(running(path), { title: "", output: path }, [], 2)

function callsOf(answers: readonly AnswerUnit[]) {
  return answers.flatMap(({ calls }) => [...calls.values()])
}
function keysOf(answers: readonly AnswerUnit[]) {
  return callsOf(answers)
    .map(({ key }) => (JSON.parse(key) as { path: string }).path)
    .join(" ")
}

describe("createCallsOfTurn", () => {
  it("gives the calls since a person wrote last, oldest first", () => {
    const callsOfTurn = createCallsOfTurn(() => undefined)
    const messages = [
      user(1),
      answer(2, 1, done("x")),
      user(3),
      answer(4, 3, done("a"), done("b")),
      answer(5, 3, done("c")),
    ]
    expect(keysOf(callsOfTurn(messages))).toBe("a b c")
  })

  it("leaves out an answer to the prompt before that sorts behind the prompt", () => {
    const callsOfTurn = createCallsOfTurn(() => undefined)
    expect(keysOf(callsOfTurn([user(1), user(2), answer(3, 1, done("x")), answer(4, 2, done("a"))]))).toBe("a")
  })

  it("tells running, failed and nudged calls apart", () => {
    const nudged = { ...part(2, 3, fail(pending(""), "told", 2)), metadata: { nudged: true } }
    const made = answer(2, 1, running("a"), done("b"), fail(running("c"), "gone", 2))
    const records = callsOf(createCallsOfTurn(() => undefined)([user(1), { ...made, parts: [...made.parts, nudged] }]))
    expect(records).toMatchObject([
      { tool: "read", reply: id(2), outcome: undefined },
      { outcome: expect.stringMatching(/^ok /) as string },
      { outcome: expect.stringMatching(/^error /) as string, failed: true },
      { failed: true, nudged: true },
    ])
    expect(records[1]).not.toHaveProperty("failed")
  })

  it("looks at the result of a call when somebody asks for its outcome, once", () => {
    let reads = 0
    const read = Object.defineProperty({ ...done("a") }, "output", { get: () => (reads++, "a"), enumerable: true })
    const [record] = callsOf(createCallsOfTurn(() => undefined)([user(1), answer(2, 1, read)]))
    expect(reads).toBe(0)
    expect([record?.outcome, record?.outcome]).toEqual(Array(2).fill(expect.stringMatching(/^ok /)))
    expect(reads).toBe(1)
  })

  it("takes the key that was stored where hooks have changed the arguments", () => {
    const changed = { ...part(2, 0, done("/abs/a")), metadata: { loopKey: '{"path":"a"}' } }
    const made = answer(2, 1)
    expect(keysOf(createCallsOfTurn(() => undefined)([user(1), { ...made, parts: [changed] }]))).toBe("a")
  })

  it("asks tools of their traits once for each message", () => {
    let asked = 0
    const callsOfTurn = createCallsOfTurn((tool) => {
      asked++
      return { pollable: tool === "read" }
    })
    const messages = [user(1), answer(2, 1, done("a")), answer(3, 1, done("b"))]
    callsOfTurn(messages)
    expect(callsOf(callsOfTurn([...messages, answer(4, 1, done("c"))])).every((call) => call.pollable)).toBe(true)
    expect(asked).toBe(3)
  })

  it("goes on with what a compaction has taken away, and counts its tail once", () => {
    const callsOfTurn = createCallsOfTurn(() => undefined)
    const tail = answer(4, 1, done("c"))
    callsOfTurn([user(1), answer(2, 1, done("a")), answer(3, 1, done("b")), tail])
    const compacted = [tail, marker(5), user(6, true)]
    expect(keysOf(callsOfTurn(compacted))).toBe("a b c")
    expect(keysOf(callsOfTurn([...compacted, answer(7, 6, done("d"))]))).toBe("a b c d")
    expect(keysOf(callsOfTurn([...compacted, answer(7, 6, done("d")), user(8), answer(9, 8, done("e"))]))).toBe("e")
    expect(keysOf(callsOfTurn([marker(10), user(11, true), answer(12, 11, done("f"))]))).toBe("e f")
  })

  it("lets go of the results that compactions have taken away and that are looked at no more", async () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const callsOfTurn = createCallsOfTurn(() => undefined)
    const rounds = 3 * MAX_UNITS
    const results = Array.from({ length: rounds }, (_, round) => {
      const state = done(`${round}`)
      callsOfTurn([marker(3 * round), user(3 * round + 1, true), answer(3 * round + 2, 3 * round + 1, state)])
      return new WeakRef(state)
    })
    await new Promise(setImmediate)
    collect()

    const kept = results.filter((result) => result.deref() !== undefined)
    expect(callsOfTurn([marker(3 * rounds)])).toHaveLength(MAX_UNITS)
    expect(kept.length).toBeLessThanOrEqual(MAX_UNITS + 1)
  })

  it("reads no further back than it needs", () => {
    const many = Array.from({ length: 500 }, (_, at) => answer(at + 2, 1, done(`${at}`)))
    let asked = 0
    const records = createCallsOfTurn(() => {
      asked++
      return undefined
    })([user(1), ...many])
    expect(keysOf(records.slice(-2))).toBe("498 499")
    expect([records.length, asked]).toEqual([MAX_UNITS, MAX_UNITS])
  })
})
