import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JSONObject } from "../../base/json.ts"
import type {
  AssistantMessage,
  CompactionPart,
  FilePart,
  MessageWithParts,
  Part,
  ToolPart,
} from "../../record/message.ts"
import { CLEARED_OUTPUT } from "../../request/model-messages.ts"
import { pruneWrites } from "./prune-writes.ts"
import { createSelectPrunable } from "./select-prunable.ts"

const model = { providerID: "acme", modelID: "small" }
const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
/** One byte is one token. */
const scope = { usable: 180_000, bytesPerToken: 1, model: {} }

let made = 0
const owner = () => ({ id: `prt_${++made}`, sessionID: "ses_1", messageID: "msg_1" }) as const

function user(...parts: Part[]): MessageWithParts {
  const info = { id: `msg_${++made}`, sessionID: "ses_1", role: "user", agent: "build", model } as const
  return { info: { ...info, time: { created: 1 } }, parts }
}
const text = (words: string, more: { synthetic?: boolean; ignored?: boolean } = {}): Part => {
  return { ...owner(), type: "text", text: words, ...more }
}
const asked = () => user(text("go on"))
const marker = (part: Partial<CompactionPart> = {}) => {
  return user({ ...owner(), type: "compaction", auto: true, ...part }, text("state", { synthetic: true }))
}
function assistant(parts: readonly Part[], info: Partial<AssistantMessage> = {}): MessageWithParts {
  const written = { ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens }
  const base = { id: `msg_${++made}`, sessionID: "ses_1", role: "assistant", parentID: "msg_0" } as const
  return { info: { ...base, time: { created: 1 }, ...written, ...info }, parts }
}
const summaryOf = (marked: MessageWithParts) => {
  return assistant([text("summary")], { summary: true, parentID: marked.info.id })
}

interface CallOptions {
  readonly tool?: string
  readonly compacted?: number
  readonly attachments?: FilePart[]
  readonly metadata?: JSONObject
}

/** A call that reclaims so many tokens once its output is cleared. */
function call(reclaims: number, { tool = "read", compacted, attachments, metadata }: CallOptions = {}): ToolPart {
  const time = { start: 1, end: 2, ...(compacted === undefined ? {} : { compacted }) }
  const output = "x".repeat(reclaims + CLEARED_OUTPUT.length)
  const state = { status: "completed", input: {}, output, title: "", metadata: {}, time } as const
  const completed = { ...state, ...(attachments ? { attachments } : {}) }
  return { ...owner(), type: "tool", callID: "c", tool, state: completed, ...(metadata ? { metadata } : {}) }
}
const select = (messages: readonly MessageWithParts[], given = scope) => createSelectPrunable()(messages, given)
const recent = () => [asked(), assistant([call(90_000)]), asked(), assistant([call(90_000)])]

describe("what is selected", () => {
  it("is what lies beyond the newest 40,000 tokens of outputs before the two newest turns", () => {
    const old = call(15_000)
    const older = call(20_000)
    const crossing = call(10_000)
    const messages = [asked(), assistant([older, old]), assistant([crossing, call(35_000)]), ...recent()]
    const { parts, reclaimed } = select(messages)
    expect(parts).toEqual([older, old, crossing])
    expect(reclaimed).toBe(45_000)
  })

  it("is nothing where less than 20,000 tokens would be reclaimed", () => {
    const messages = (old: number) => [asked(), assistant([call(old), call(40_000)]), ...recent()]
    expect(select(messages(19_999))).toEqual({ parts: [], reclaimed: 0, rewritten: 0 })
    expect(select(messages(20_000)).reclaimed).toBe(20_000)
  })

  it("is nothing in the two newest turns, however large they are", () => {
    expect(select(recent()).parts).toEqual([])
  })

  it("ends at an output that is cleared already", () => {
    const next = call(25_000)
    const messages = [assistant([call(99_000), call(99_000, { compacted: 3 }), next, call(40_000)]), ...recent()]
    expect(select(messages).parts).toEqual([next])
  })

  it("ends at a summary in effect, and looks past one that is only prepared", () => {
    const old = call(90_000)
    const kept = assistant([call(40_000)])
    const marked = marker()
    const prepared = marker({ prepared: true })
    expect(select([assistant([old]), marked, summaryOf(marked), kept, ...recent()]).parts).toEqual([])
    expect(select([assistant([old]), prepared, summaryOf(prepared), kept, ...recent()]).parts).toEqual([old])
  })

  it("counts no turn for what no person wrote", () => {
    const written = [marker({ prepared: true }), user(text("Continue.", { synthetic: true })), user()]
    const messages = [asked(), assistant([call(90_000)]), ...written, asked(), assistant([call(90_000)])]
    expect(select(messages).parts).toEqual([])
    expect(select([...messages, asked()]).parts).toHaveLength(1)
  })

  it("leaves skills, failed and running calls, calls that the provider ran, and outputs shorter than their placeholder", () => {
    const state = { status: "running", input: {}, time: { start: 1 } } as const
    const failed = { status: "error", input: {}, error: "x".repeat(30_000), time: { start: 1, end: 2 } } as const
    const left = [
      call(30_000, { tool: "skill" }),
      call(30_000, { tool: "tool_search" }),
      call(30_000, { metadata: { providerExecuted: true } }),
      { ...call(0), state },
      { ...call(0), state: failed },
      call(0),
    ]
    const old = call(25_000)
    expect(select([assistant([...left, old, call(40_000)]), ...recent()]).parts).toEqual([old])
  })

  it("counts the attachments of an output", () => {
    const file = { ...owner(), type: "file", mime: "image/png", url: "https://example.com/a.png" } as const
    const old = call(0, { attachments: Array.from({ length: 20 }, () => file) })
    expect(select([assistant([old, call(40_000)]), ...recent()])).toMatchObject({ parts: [old], reclaimed: 32_000 })
  })

  it("scales with a small window", () => {
    const messages = [assistant([call(2_000), call(3_000)]), ...recent()]
    expect(select(messages, { ...scope, usable: 8_000 }).reclaimed).toBe(2_000)
    expect(select(messages, { ...scope, usable: 10_500 }).reclaimed).toBe(0)
    expect(select(messages, { ...scope, usable: Infinity }).reclaimed).toBe(0)
    expect(select(messages, { ...scope, usable: 4_000, bytesPerToken: 2 }).reclaimed).toBe(1_000)
  })
})

it("says how much would have to be written to the cache anew", () => {
  const old = assistant([text("before"), call(25_000)])
  const messages = [assistant([text("not behind")]), old, assistant([call(40_000)]), asked(), assistant([]), asked()]
  const call_ = "read".length + "{}".length + CLEARED_OUTPUT.length
  const behind = "before".length + call_ + 40_000 + call_ + 2 * "go on".length
  expect(select(messages)).toMatchObject({ reclaimed: 25_000, rewritten: behind })
})

it("looks into a part once", () => {
  let reads = 0
  const part = call(90_000)
  const { state } = part
  const counted = { ...part, state: Object.defineProperty({ ...state }, "input", { get: () => (reads++, {}) }) }
  const messages = [assistant([counted]), ...recent()]
  const again = createSelectPrunable()
  expect(again(messages, scope)).toEqual(again([...messages], scope))
  expect(reads).toBe(1)
})

it("selects nothing anew once its selection is cleared, and keeps the newest outputs whatever the history", () => {
  const size = fc.integer({ min: 0, max: 30_000 })
  const turn = fc.array(fc.array(size, { maxLength: 4 }), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 6 }), fc.integer({ min: 0, max: 200_000 }), (turns, usable) => {
      const messages = turns.flatMap((steps) => [
        asked(),
        ...steps.map((sizes) => assistant(sizes.map((n) => call(n)))),
      ])
      const given = { ...scope, usable }
      const { parts, reclaimed, rewritten } = select(messages, given)
      const chosen = new Set<Part>(parts)
      const secondNewest = messages.filter(({ info }) => info.role === "user").at(-2)
      const old = secondNewest ? messages.slice(0, messages.indexOf(secondNewest)) : []
      const calls = old.flatMap((message) => message.parts.filter((part) => part.type === "tool"))
      expect(parts).toEqual(calls.filter((part) => chosen.has(part)))
      const kept = calls.filter(
        (part) => !chosen.has(part) && calls.indexOf(part) > calls.indexOf(parts[0] as ToolPart),
      )
      if (parts.length > 0) {
        const left = kept.reduce(
          (sum, part) => sum + (part.state as { output: string }).output.length - CLEARED_OUTPUT.length,
          0,
        )
        expect(left).toBeLessThanOrEqual(Math.min(40_000, 0.4 * usable))
        expect(reclaimed).toBeGreaterThanOrEqual(Math.floor(Math.min(20_000, 0.2 * usable)))
        expect(rewritten).toBeGreaterThanOrEqual(left)
      }
      const cleared = new Map(pruneWrites(parts, 9).map((write) => [write.type === "part.put" && write.part.id, write]))
      const after = messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => {
          const write = cleared.get(part.id)
          return write?.type === "part.put" ? write.part : part
        }),
      }))
      expect(select(after, given).parts).toEqual([])
    }),
  )
})

describe("pruneWrites", () => {
  it("marks the outputs as cleared and leaves their text, in one batch", () => {
    const parts = [call(1), call(2)]
    const chosen = parts.map((part) => part as never)
    expect(pruneWrites(chosen, 77)).toEqual(
      parts.map((part) => ({
        type: "part.put",
        part: { ...part, state: { ...part.state, time: { start: 1, end: 2, compacted: 77 } } },
      })),
    )
    expect(parts[0]?.state).toMatchObject({ time: { start: 1, end: 2 } })
  })

  it("keeps the time at which an output was cleared before", () => {
    const write = pruneWrites([call(1, { compacted: 5 }) as never], 77)[0]
    expect(write).toMatchObject({ part: { state: { time: { compacted: 5 } } } })
  })
})
