import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import type { JSONObject } from "../base/json.ts"
import type { ModelMessage } from "../contracts/model.ts"
import type { AssistantMessage, FilePart, MessageWithParts, Part, ToolState, UserMessage } from "../record/message.ts"
import { CLEARED_OUTPUT, createModelMessages, INTERRUPTED, toModelMessages } from "./model-messages.ts"
import { recoveryWrites } from "../run/recovery.ts"
import { complete, fail, pending, run } from "../contracts/tool-state.ts"

const sessionID = "ses_1"
const model = { providerID: "acme", modelID: "small" }
const other = { providerID: "acme", modelID: "large" }
const ended = { start: 1, end: 2 }
const image = { mime: "image/png", url: "data:image/png;base64,AA==" }

const waiting = pending('{"path":"a"}')
const running = run(waiting, { path: "a" }, 1)
const completed = complete(running, { title: "a", output: "text of a" }, [], 2)
const failed = fail(running, "ENOENT", 2)

/** A part without its owner, which the message gives it. */
type PartOf<P> = P extends Part ? Omit<P, "id" | "sessionID" | "messageID"> : never
type Unowned = PartOf<Part>

let made = 0
function owned(messageID: `msg_${string}`, parts: Unowned[]): Part[] {
  return parts.map((part) => ({ ...part, id: `prt_${String(++made).padStart(4, "0")}`, sessionID, messageID }))
}
function user(...parts: Unowned[]): MessageWithParts<UserMessage> {
  const info = { id: "msg_1", sessionID, role: "user", time: { created: 1 }, agent: "build", model } as const
  return { info, parts: owned("msg_1", parts) }
}
function assistant(info: Partial<AssistantMessage>, ...parts: Unowned[]): MessageWithParts<AssistantMessage> {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const written = { ...model, agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, tokens }
  const made = { id: "msg_2", sessionID, role: "assistant", parentID: "msg_1", time: { created: 1 } } as const
  return { info: { ...made, ...written, ...info }, parts: owned("msg_2", parts) }
}
const text = (words: string): Unowned => ({ type: "text", text: words, time: ended })
const reasoning = (words: string, metadata?: JSONObject): Unowned => {
  return { type: "reasoning", text: words, time: ended, ...(metadata ? { metadata } : {}) }
}
const tool = (callID: string, state: ToolState, metadata?: JSONObject): Unowned => {
  return { type: "tool", callID, tool: "read", state, ...(metadata ? { metadata } : {}) }
}

/** What makes a provider refuse a request, whatever the provider. */
function faults(messages: readonly ModelMessage[]): string[] {
  const found: string[] = []
  messages.forEach((message, n) => {
    const before = messages[n - 1]?.role ?? "assistant"
    if (message.role === "assistant" && before === "assistant") found.push(`message ${n} follows no user and no result`)
    if (message.content.length === 0) found.push(`message ${n} is empty`)
    for (const item of message.content) {
      if (item.type === "text" && item.text.trim() === "") found.push(`message ${n} has an empty text`)
      if (item.type === "tool-result" && item.output === "") found.push(`message ${n} has an empty result`)
    }
    const calls = message.role === "assistant" ? message.content.filter(({ type }) => type === "tool-call") : []
    const called = calls.map((call) => (call as { callID: string }).callID)
    if (new Set(called).size < called.length) found.push(`message ${n} calls twice under one id`)
    const next = messages[n + 1]
    const answered = next?.role === "tool" ? next.content.map(({ callID }) => callID) : []
    if (called.toSorted().join() !== answered.toSorted().join())
      found.push(`${called.join()} is answered by ${answered.join()}`)
    if (message.role === "tool" && messages[n - 1]?.role !== "assistant") found.push(`${n} answers nothing`)
  })
  return found
}

describe("what was stored of a session, up to any write", () => {
  /** Each write of a session with everything in it: a message, or a part that replaces the one of its id. */
  const question = user(text("Look."), { type: "file", ...image }, { type: "file", mime: "text/plain", url: "data:," })
  const [thought, words, first, second, third] = owned("msg_2", [
    reasoning("Hm."),
    text("Looking."),
    tool("call_1", waiting),
    tool("call_2", waiting),
    tool("call_1", waiting),
  ]) as [Part, Part, Part, Part, Part]
  const inState = (part: Part, state: ToolState) => ({ ...part, state }) as Part
  const step = assistant({}).info
  const broken = { ...assistant({}).info, id: "msg_3" } as const
  const [brokenText, brokenCall] = owned("msg_3", [text("And then"), tool("call_1", waiting)]) as [Part, Part]
  const last = { ...assistant({}).info, id: "msg_4" } as const
  const parts: Part[] = [
    ...question.parts,
    ...[
      { ...thought, text: "", time: { start: 1 } } as Part,
      thought,
      { ...words, text: "Lo", time: { start: 1 } } as Part,
    ],
    ...[words, first, second, inState(first, running), third, inState(second, running), inState(second, failed)],
    ...[
      inState(third, running),
      inState(first, completed),
      inState(third, complete(running, { title: "", output: "" }, [], 2)),
    ],
    ...[brokenText, brokenCall, inState(brokenCall, running), inState(brokenCall, fail(running, "", 2))],
    ...owned("msg_4", [text(" \n"), { type: "compaction", auto: true }, reasoning("Only a thought.")]),
  ]
  const infos = [
    question.info,
    step,
    { ...broken, error: { name: "MessageAbortedError", data: { message: "" } } },
    last,
  ]

  /** The stored messages after the first `count` writes of parts. */
  function prefix(count: number): MessageWithParts[] {
    const written = new Map(parts.slice(0, count).map((part) => [part.id, part]))
    return infos.map((info) => ({
      info,
      parts: [...written.values()].filter(({ messageID }) => messageID === info.id),
    }))
  }

  it("gives a call back with what its provider signed it with, to the model that made it alone", () => {
    const signature = { google: { thoughtSignature: "sig" } }
    const called = assistant(
      {},
      tool("call_1", completed, { provider: signature, effect: "pure" }),
      tool("call_2", completed),
    )

    const calls = (to: typeof model) => toModelMessages(called, to)[0]?.content

    expect(calls(model)).toEqual([
      { type: "tool-call", callID: "call_1", name: "read", input: { path: "a" }, metadata: signature },
      { type: "tool-call", callID: "call_2", name: "read", input: { path: "a" } },
    ])
    expect(calls(other)).not.toContainEqual(expect.objectContaining({ metadata: signature }))
  })

  it("makes a request that is valid", () => {
    for (let count = 0; count <= parts.length; count++) {
      for (const receiver of [model, other]) {
        expect({ count, faults: faults(createModelMessages()(prefix(count), receiver)) }).toEqual({ count, faults: [] })
      }
    }
    expect(createModelMessages()(prefix(parts.length), model).map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "tool"],
    ])
  })

  it("makes a valid request too once a new owner has settled it, with nothing left unsettled", () => {
    for (let count = 0; count <= parts.length; count++) {
      const settled = new Map(
        recoveryWrites(prefix(count), 9).flatMap((write) =>
          write.type === "part.put" ? [[write.part.id, write.part]] : [],
        ),
      )
      const messages = prefix(count).map(({ info, parts }) => ({
        info,
        parts: parts.map((part) => settled.get(part.id) ?? part),
      }))
      expect({ count, faults: faults(createModelMessages()(messages, model)) }).toEqual({ count, faults: [] })
      expect(JSON.stringify(messages)).not.toMatch(/"status":"(pending|running)"/)
      expect(JSON.stringify(createModelMessages()(messages, model))).not.toContain(INTERRUPTED)
    }
  })

  it("makes a valid request of any mixture of parts", () => {
    const random = seeded(11)
    const states = [waiting, running, completed, failed, complete(running, { title: "", output: "" }, [], 2)]
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    for (let n = 0; n < 1_000; n++) {
      const mixture = Array.from({ length: Math.floor(random() * 6) }, (): Unowned =>
        pick<() => Unowned>([
          () => text(pick(["", " ", "Yes."])),
          () => ({ type: "text", text: "Brok", time: { start: 1 } }),
          () => reasoning(pick(["", "Hm."])),
          () => tool(pick(["call_1", "call_2"]), pick(states), pick([undefined, { providerExecuted: true }])),
          () => ({ type: "step-start" }),
        ])(),
      )
      const error = pick([
        undefined,
        { name: "MessageAbortedError", data: { message: "" } },
        { name: "APIError", data: { message: "" } },
      ])
      const message = assistant(error ? { error } : {}, ...mixture)
      const receiver = pick([model, other])
      const asked = toModelMessages(user(text("Look.")), receiver)
      expect({ message, faults: faults([...asked, ...toModelMessages(message, receiver)]) }).toEqual({
        message,
        faults: [],
      })
    }
  })
})

describe("any messages", () => {
  const states = [waiting, running, completed, failed, complete(running, { title: "", output: "" }, [], 2)]
  const task = { type: "subtask", prompt: "Review it.", description: "review", agent: "general" } as const
  const userParts: readonly Unowned[] = [
    ...["Look.", "", " \n"].map((words) => text(words)),
    { type: "text", text: "For people.", ignored: true },
    { type: "file", ...image },
    { type: "file", ...image, rejected: { reason: "it is too large", time: 1 } },
    { type: "file", mime: "text/plain", url: "data:," },
    { type: "agent", name: "general" },
    task,
    { ...task, command: "review" },
    { type: "compaction", auto: true },
  ]
  const answerParts: readonly Unowned[] = [
    ...["Yes.", "", " \n"].map((words) => text(words)),
    { type: "text", text: "Brok", time: { start: 1 } },
    ...["Hm.", ""].map((words) => reasoning(words)),
    reasoning("", { signature: "s" }),
    ...states.flatMap((state) => [tool("call_1", state), tool("call_2", state, { providerExecuted: true })]),
    { type: "step-start" },
    { type: "snapshot", snapshot: "s" },
    { type: "patch", hash: "h", files: [] },
  ]
  const ends: readonly Partial<AssistantMessage>[] = [
    ...["stop", "length", "tool-calls", "unknown"].map((finish) => ({ finish })),
    {},
    ...["MessageAbortedError", "APIError"].map((name) => ({ error: { name, data: { message: "" } } })),
  ]

  it("make a request that begins with the user, with each answer behind the user or results", () => {
    const random = seeded(5)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const some = <T>(from: readonly T[]) => Array.from({ length: Math.floor(random() * 4) }, () => pick(from))
    for (let n = 0; n < 3_000; n++) {
      const messages = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        random() < 0.5 ? user(...some(userParts)) : assistant(pick(ends), ...some(answerParts)),
      )
      const receiver = pick([model, other])
      expect({ messages, faults: faults(createModelMessages()(messages, receiver)) }).toEqual({ messages, faults: [] })
    }
  })

  it("stand where they stood once more follow", () => {
    const said = assistant({ finish: "stop" }, text("Yes."))
    const messages = [user(), said, said, user({ type: "agent", name: "general" }), said, user(text("Well?"))]
    const whole = createModelMessages()(messages, model)
    expect(whole.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ])
    for (let count = 0; count < messages.length; count++) {
      const some = createModelMessages()(messages.slice(0, count), model)
      expect(whole.slice(0, some.length)).toEqual(some)
    }
  })
})

describe("a user's message", () => {
  it("keeps texts and media in their order", () => {
    const message = user({ type: "text", text: "Look:" }, { type: "file", ...image, filename: "a.png" }, text("Well?"))
    expect(toModelMessages(message, model)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "file", ...image, filename: "a.png" },
          { type: "text", text: "Well?" },
        ],
      },
    ])
  })

  it.each<[string, Unowned]>([
    ["ignored text", { type: "text", text: "for people", ignored: true }],
    ["empty text", { type: "text", text: "" }],
    ["white space", { type: "text", text: " \n" }],
    ["text files, which were written out as text", { type: "file", mime: "text/plain", url: "file:///a.txt" }],
    [
      "directories, which were written out as text",
      { type: "file", mime: "application/x-directory", url: "file:///a" },
    ],
  ])("leaves out %s", (_what, part) => {
    expect(toModelMessages(user(part), model)).toEqual([])
    expect(toModelMessages(user(part, text("Well?")), model)).toEqual([
      { role: "user", content: [{ type: "text", text: "Well?" }] },
    ])
  })

  it("keeps synthetic text", () => {
    const message = user({ type: "text", text: "Contents of a.txt", synthetic: true })
    expect(toModelMessages(message, model)).toMatchObject([{ content: [{ text: "Contents of a.txt" }] }])
  })

  it("names the task that was handed to a subagent", () => {
    const task = { type: "subtask", prompt: "Review all of it.", description: "review", agent: "general" } as const
    expect(toModelMessages(user(task), model)).toEqual([
      { role: "user", content: [{ type: "text", text: expect.stringMatching(/"general": review$/) as string }] },
    ])
  })

  it("asks what was done where a compaction stands", () => {
    expect(toModelMessages(user({ type: "compaction", auto: true }), model)).toEqual([
      { role: "user", content: [{ type: "text", text: "What did we do so far?" }] },
    ])
  })
})

describe("a tool call", () => {
  const resultOf = (state: ToolState) => {
    const [, results] = toModelMessages(assistant({}, tool("call_1", state)), model)
    return results?.content[0]
  }

  it("stands in the answer, its result directly behind", () => {
    const step = assistant(
      { finish: "tool-calls" },
      text("Looking."),
      tool("call_1", completed),
      tool("call_2", failed),
    )
    expect(toModelMessages(step, model)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool-call", callID: "call_1", name: "read", input: { path: "a" } },
          { type: "tool-call", callID: "call_2", name: "read", input: { path: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", callID: "call_1", name: "read", output: "text of a", isError: false },
          { type: "tool-result", callID: "call_2", name: "read", output: "ENOENT", isError: true },
        ],
      },
    ])
  })

  it.each([waiting, running])("that is $status reads as interrupted", (state) => {
    expect(resultOf(state)).toMatchObject({ output: INTERRUPTED, isError: true })
  })

  it("carries its attachments", () => {
    const attached = { ...completed, attachments: owned("msg_2", [{ type: "file", ...image }]) as FilePart[] }
    expect(resultOf(attached)).toMatchObject({ attachments: [{ type: "file", ...image }] })
  })

  it("whose output was cleared says so, without output and attachments", () => {
    const attachments = owned("msg_2", [{ type: "file", ...image }]) as FilePart[]
    const cleared = resultOf({ ...completed, attachments, time: { ...completed.time, compacted: 3 } })
    expect(cleared).toEqual({
      type: "tool-result",
      callID: "call_1",
      name: "read",
      output: CLEARED_OUTPUT,
      isError: false,
    })
  })

  it("that the provider ran itself is not told again", () => {
    const step = assistant({}, tool("call_1", completed, { providerExecuted: true }), text("Found."))
    expect(toModelMessages(step, model)).toEqual([{ role: "assistant", content: [{ type: "text", text: "Found." }] }])
  })

  it("under a name that no provider accepts is told under one that they do", () => {
    const named = { ...tool("call_1", failed), tool: "read file!" } as Unowned
    const [call, result] = toModelMessages(assistant({}, named), model)
    expect(call).toMatchObject({ content: [{ name: "read_file_" }] })
    expect(result).toMatchObject({ content: [{ name: "read_file_" }] })
  })
})

describe("reasoning", () => {
  const step = (metadata?: JSONObject) => assistant({}, reasoning("Hm.", metadata), tool("call_1", completed))
  const contentOf = (message: MessageWithParts, receiver = model) => toModelMessages(message, receiver)[0]?.content

  it("goes back to the model it came from, with what the provider wants with it", () => {
    expect(contentOf(step({ signature: "s" }))?.[0]).toEqual({
      type: "reasoning",
      text: "Hm.",
      metadata: { signature: "s" },
    })
    expect(contentOf(step())?.[0]).toEqual({ type: "reasoning", text: "Hm." })
  })

  it("goes back without text when it is signed", () => {
    const signed = assistant({}, reasoning("", { signature: "s" }), tool("call_1", completed))
    expect(contentOf(signed)?.[0]).toEqual({ type: "reasoning", text: "", metadata: { signature: "s" } })
  })

  it.each([other, { providerID: "else", modelID: "small" }])("does not go to $providerID/$modelID", (receiver) => {
    expect(contentOf(step({ signature: "s" }), receiver)).toMatchObject([{ type: "tool-call" }])
  })

  it("alone is no answer", () => {
    expect(toModelMessages(assistant({}, reasoning("Hm.")), model)).toEqual([])
  })

  it("that broke off is left out", () => {
    const broken = assistant({}, { type: "reasoning", text: "Hm", time: { start: 1 } }, tool("call_1", completed))
    expect(contentOf(broken)).toMatchObject([{ type: "tool-call" }])
  })
})

describe("an answer with an error", () => {
  const aborted = { name: "MessageAbortedError", data: { message: "The run was aborted." } }
  const failure = { name: "APIError", data: { message: "No." } }
  const said = { role: "assistant", content: [{ type: "text", text: "So far" }] }

  it.each([
    ["is left out when it failed", { error: failure }, [text("So far")], []],
    ["is kept as far as it came when it was aborted", { error: aborted }, [text("So far")], [said]],
    ["is left out when it was aborted before it said anything", { error: aborted }, [reasoning("Hm.")], []],
  ])("%s", (_name, info, parts, expected) => {
    expect(toModelMessages(assistant(info, ...parts), model)).toEqual(expected)
  })

  it("is kept when tools have run", () => {
    const roles = toModelMessages(assistant({ error: failure }, tool("call_1", completed)), model).map(
      ({ role }) => role,
    )
    expect(roles).toEqual(["assistant", "tool"])
  })
})

describe("an answer that broke off", () => {
  const broken = (...parts: Unowned[]) => assistant({ finish: "unknown" }, ...parts)
  const convert = (...messages: MessageWithParts[]) => createModelMessages()(messages, model)
  const question = user(text("Look."))

  it.each<[string, MessageWithParts]>([
    ["has only text", broken(text("Looking."))],
    ["has reasoning and text", broken(reasoning("Hm."), text("Looking."))],
    ["has a call that the provider ran", broken(text("Looking."), tool("c", completed, { providerExecuted: true }))],
    ["has no end yet", assistant({}, text("Looking."))],
  ])("and %s is asked for again: the request ends with the question", (_what, last) => {
    expect(convert(question, last)).toEqual(convert(question))
    expect(convert(question, last, last)).toEqual(convert(question))
  })

  it("stays out once another has followed, so that the next request begins alike", () => {
    const again = broken(tool("call_1", completed))
    const first = JSON.stringify(convert(question, broken(text("Looking."))))
    const second = convert(question, broken(text("Looking.")), again)
    expect(second.map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
    expect(JSON.stringify(second).startsWith(first.slice(0, -1))).toBe(true)
  })

  it("is known to the model when the user has written upon it", () => {
    const messages = convert(question, broken(text("Looking.")), user(text("Where?")))
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    expect(JSON.stringify(messages)).toContain("Looking.")
  })

  it("stays with its calls, whose results follow it", () => {
    const messages = convert(question, broken(text("Looking."), tool("call_1", completed)))
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
    expect(JSON.stringify(messages)).toContain("Looking.")
  })
})

describe("converting again", () => {
  const messages = [
    user(text("Look.")),
    assistant({}, reasoning("Hm."), tool("call_1", completed)),
    assistant({ finish: "stop" }, text("Done.")),
  ]

  it("gives the same values for the same messages, also when more follow", () => {
    const convert = createModelMessages()
    const before = convert(messages.slice(0, 2), model)
    const after = convert(messages, model)

    expect(before).toHaveLength(3)
    before.forEach((message, n) => expect(after[n]).toBe(message))
  })

  it("makes a list of its own each time", () => {
    const convert = createModelMessages()
    convert(messages, model).length = 0
    expect(convert(messages, model)).toHaveLength(4)
  })

  it("converts a message that changed", () => {
    const convert = createModelMessages()
    convert([user(text("Look."))], model)
    expect(convert([user(text("Look there."))], model)).toMatchObject([{ content: [{ text: "Look there." }] }])
  })

  it("gives the same bytes whether it remembers or not", () => {
    const convert = createModelMessages()
    convert(messages, model)
    expect(JSON.stringify(convert(messages, model))).toBe(JSON.stringify(createModelMessages()(messages, model)))
  })

  it("converts anew for another model, and back", () => {
    const convert = createModelMessages()
    const hasReasoning = (receiver: typeof model) => JSON.stringify(convert(messages, receiver)).includes("Hm.")
    expect([hasReasoning(model), hasReasoning(other), hasReasoning(model)]).toEqual([true, false, true])
  })
})

describe("parts of which requests show less", () => {
  const input = { path: "a", content: "words ".repeat(1000) }
  const state = complete(run(waiting, input, 1), { title: "a", output: "written" }, [], 2)
  const content = (part: Unowned) => toModelMessages(assistant({ finish: "tool-calls" }, part), model)[0]?.content[0]

  it("are shown in part, without the signature of the whole", () => {
    const signed = { provider: { google: { thoughtSignature: "sig" } } }
    const part = { ...tool("call_1", state, signed), shownBytes: 200 } as Unowned
    const shown = content(part)
    expect(shown).toEqual({
      ...{ type: "tool-call", callID: "call_1", name: "read" },
      input: { path: "a", content: expect.stringMatching(/^words .*… \[\d+ more bytes, left out to save room\]$/) },
    })
    expect(content(tool("call_1", state, signed))).toMatchObject({ input, metadata: signed.provider })
  })

  it("stay valid where the call was made through another tool", () => {
    const part = { ...tool("call_1", state, { calledBy: "call_tool" }), shownBytes: 200 } as Unowned
    const { input: shown } = content(part) as never as { input: { name: string; arguments: string } }
    expect(JSON.parse(shown.arguments)).toMatchObject({ path: "a" })
    expect(shown.arguments.length).toBeLessThan(300)
  })

  it("may be texts and reasoning", () => {
    const long = "words ".repeat(1000)
    expect(content({ ...text(long), shownBytes: 200 } as Unowned)).toMatchObject({
      text: expect.stringContaining("… ["),
    })
    const answer = assistant({}, { ...reasoning(long), shownBytes: 200 } as Unowned, text("Done."))
    expect(toModelMessages(answer, model)[0]?.content[0]).toMatchObject({ text: expect.stringContaining("… [") })
  })
})
