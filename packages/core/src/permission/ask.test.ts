import { describe, expect, it } from "vitest"
import { PermissionDeniedError } from "../errors.ts"
import { createEventBus, type EngineEvent } from "../events.ts"
import type { Hooks } from "../hooks/hooks.ts"
import { createIDSource } from "../ids.ts"
import type { PermissionRule } from "../session/message.ts"
import type { PermissionNeed } from "../tool/tool.ts"
import {
  type AskPermission,
  authorize,
  type PermissionReply,
  type PermissionRequest,
  type RememberedAnswer,
} from "./ask.ts"

const call = {
  tool: "bash",
  callID: "call_1",
  messageID: "msg_1",
  sessionID: "ses_1",
  rootSessionID: "ses_1",
  agent: "build",
} as const
const need: PermissionNeed = { permission: "bash", patterns: ["make test"] }
const allowAll: PermissionRule = { permission: "*", pattern: "*", action: "allow" }
const denyRm: PermissionRule = { permission: "bash", pattern: "rm *", action: "deny" }

interface World {
  readonly rules?: PermissionRule[]
  readonly ask?: AskPermission
  readonly plugin?: "ask" | "allow" | "deny" | Error
  readonly signal?: AbortSignal
  /** Milliseconds. */
  readonly question?: number
}

/** One run: answers are remembered from call to call. */
function testRun({ rules = [], ask, plugin = "ask", signal = new AbortController().signal, question = 0 }: World) {
  const events: EngineEvent[] = []
  const guarded: unknown[] = []
  const questions: PermissionRequest[] = []
  const bus = createEventBus(
    () => "evt_1",
    (error) => expect.fail(String(error)),
  )
  bus.subscribe((event) => events.push(event))
  const signals: unknown[] = []
  const guard = async (_name: string, input: unknown, _draft: unknown, given: AbortSignal) => {
    guarded.push(input)
    signals.push(given)
    if (plugin instanceof Error) throw plugin
    return { status: plugin }
  }
  const deps = {
    hooks: { guard } as unknown as Hooks,
    bus,
    ids: createIDSource(() => 1),
    deadlines: { question },
    ask: ask && (((request, given) => (questions.push(request), ask(request, given))) satisfies AskPermission),
  }
  const scopes = [{ name: "configuration", rules }]
  const remembered: RememberedAnswer[] = []
  return {
    events,
    guarded,
    signals,
    questions,
    /** "allowed", or the error. */
    authorize: (...needs: PermissionNeed[]) =>
      authorize(deps, call, needs, { scopes, remembered }, signal).then(
        () => "allowed" as const,
        (error: unknown) => error,
      ),
  }
}
const answering = (...replies: unknown[]) => {
  let n = 0
  return async () => replies[Math.min(n++, replies.length - 1)] as PermissionReply
}
const denied = (decidedBy: "rule" | "asked", permission = "bash", pattern = "make test") => {
  return expect.objectContaining({ name: "PermissionDeniedError", decidedBy, permission, pattern }) as unknown
}

describe("where a rule speaks", () => {
  it("an allow passes without asking anyone", async () => {
    const run = testRun({ rules: [allowAll], ask: answering("reject"), plugin: "deny" })
    expect(await run.authorize(need)).toBe("allowed")
    expect([run.guarded, run.questions, run.events]).toEqual([[], [], []])
  })

  it("a deny refuses without asking anyone, and names the rule and its scope", async () => {
    const run = testRun({ rules: [allowAll, denyRm], ask: answering("always"), plugin: "allow" })
    const error = await run.authorize({ permission: "bash", patterns: ["ls", "rm -rf /"] })
    expect(error).toEqual(denied("rule", "bash", "rm -rf /"))
    expect((error as Error).message).toBe(
      'The rule { permission: "bash", pattern: "rm *", action: "deny" } (configuration) denies bash "rm -rf /".',
    )
    expect([run.guarded, run.questions, run.events]).toEqual([[], [], []])
  })

  it("every need has to be allowed", async () => {
    const run = testRun({ rules: [allowAll, denyRm] })
    expect(await run.authorize(need, { permission: "bash", patterns: ["rm x"] })).toEqual(
      denied("rule", "bash", "rm x"),
    )
    expect(await run.authorize(need, { permission: "edit", patterns: ["a"] })).toBe("allowed")
  })

  it("a need without patterns is asked, whatever is allowed", async () => {
    const run = testRun({ rules: [allowAll], ask: answering("once") })
    expect(await run.authorize({ permission: "bash", patterns: [] })).toBe("allowed")
    expect(run.questions).toHaveLength(1)
  })
})

describe("where it is to be asked", () => {
  it("refuses when nobody can be asked, and says what to do", async () => {
    const error = await testRun({}).authorize(need)
    expect(error).toEqual(denied("asked"))
    expect((error as Error).message).toMatch(/nobody can be asked.*configuration/)
  })

  it("asks a plugin before a person, with the call", async () => {
    const run = testRun({ plugin: "allow", ask: answering("reject") })
    expect(await run.authorize({ ...need, metadata: { cwd: "/" } })).toBe("allowed")
    expect(run.guarded).toEqual([{ ...call, permission: "bash", patterns: ["make test"], metadata: { cwd: "/" } }])
    expect(run.questions).toEqual([])
  })

  it("a plugin's refusal lets the model try something else", async () => {
    const run = testRun({ plugin: "deny", ask: answering("always") })
    expect(await run.authorize(need)).toEqual(denied("rule"))
    expect(run.questions).toEqual([])
  })

  it("a plugin that fails refuses", async () => {
    const broken = new Error("broken")
    const run = testRun({ plugin: broken, ask: answering("always") })
    expect(await run.authorize(need)).toBe(broken)
    expect(run.questions).toEqual([])
  })

  it("asks a person with all there is to know, and tells of question and answer", async () => {
    const run = testRun({ ask: answering("once") })
    expect(await run.authorize({ ...need, always: ["make *"], metadata: { cwd: "/" } })).toBe("allowed")

    const [request] = run.questions
    expect(request).toEqual({
      id: expect.stringMatching(/^per_/) as string,
      sessionID: "ses_1",
      permission: "bash",
      patterns: ["make test"],
      always: ["make *"],
      metadata: { cwd: "/" },
      tool: { messageID: "msg_1", callID: "call_1" },
    })
    expect(run.events.map(({ type, properties }) => ({ type, properties }))).toEqual([
      { type: "permission.asked", properties: request },
      { type: "permission.replied", properties: { sessionID: "ses_1", requestID: request?.id, reply: "once" } },
    ])
  })

  it.each<[string, AskPermission]>([
    ["a refusal", answering("reject")],
    ["nothing", answering(undefined)],
    ["an unknown word", answering("yes")],
    ["another word for no", answering("deny")],
    ["a rejection", () => Promise.reject(new Error("The window was closed."))],
    [
      "an error before the question",
      () => {
        throw new Error("There is no window.")
      },
    ],
  ])("takes %s for a refusal, and says so in the events", async (_what, ask) => {
    const run = testRun({ ask })
    expect(await run.authorize(need)).toEqual(denied("asked"))
    expect(run.events.at(-1)).toMatchObject({ type: "permission.replied", properties: { reply: "reject" } })
  })

  it("goes on to no further need after a refusal", async () => {
    const run = testRun({ ask: answering("reject") })
    await run.authorize(need, { permission: "edit", patterns: ["a"] })
    expect(run.questions).toHaveLength(1)
  })

  it("waits no longer than the run goes on, though the question stays unanswered", async () => {
    const controller = new AbortController()
    const reason = new Error("stopped by the user")
    const run = testRun({ ask: () => new Promise(() => {}), signal: controller.signal })
    const outcome = run.authorize(need)
    await new Promise((resolve) => setImmediate(resolve))
    expect(run.questions).toHaveLength(1)
    controller.abort(reason)

    expect(await outcome).toBe(reason)
    expect(run.events.map(({ type }) => type)).toEqual(["permission.asked", "permission.replied"])
  })
})

describe("a run that has been stopped", () => {
  it("asks nobody any more", async () => {
    const reason = new Error("stopped by the user")
    const run = testRun({ ask: answering("always"), signal: AbortSignal.abort(reason) })
    expect(await run.authorize(need)).toBe(reason)
    expect(run.questions).toEqual([])
  })

  it("waits for no plugin", async () => {
    const { signal } = new AbortController()
    const run = testRun({ plugin: "allow", signal })
    await run.authorize(need)
    expect(run.signals).toEqual([signal])
  })
})

describe("a question that stays unanswered", () => {
  it("is a refusal after its deadline, and is closed", async () => {
    let given: AbortSignal | undefined
    const run = testRun({ ask: (_request, signal) => ((given = signal), new Promise(() => {})), question: 20 })
    const error = await run.authorize(need)

    expect(error).toEqual(denied("asked"))
    expect((error as Error).message).toBe('bash "make test" was not answered within 0.02 s.')
    expect(given?.aborted).toBe(true)
    expect(run.events.at(-1)).toMatchObject({ type: "permission.replied", properties: { reply: "reject" } })
  })

  it("waits as long as it takes where there is no deadline", async () => {
    const run = testRun({ ask: () => new Promise((resolve) => setTimeout(resolve, 20, "once")), question: 0 })
    expect(await run.authorize(need)).toBe("allowed")
  })
})

describe("an answer", () => {
  it("of once is asked for again", async () => {
    const run = testRun({ ask: answering("once", "reject") })
    expect(await run.authorize(need)).toBe("allowed")
    expect(await run.authorize(need)).toBeInstanceOf(PermissionDeniedError)
  })

  it("of always is not asked for again", async () => {
    const run = testRun({ ask: answering("always", "reject") })
    expect(await run.authorize(need)).toBe("allowed")
    expect(await run.authorize(need)).toBe("allowed")
    expect(run.questions).toHaveLength(1)
  })

  it.each([
    ["make test --all", "bash"],
    ["make", "bash"],
    ["make test", "edit"],
  ])("of always does not hold for %j with %s", async (pattern, permission) => {
    const run = testRun({ ask: answering("always", "reject") })
    await run.authorize(need)
    expect(await run.authorize({ permission, patterns: [pattern] })).toEqual(denied("asked", permission, pattern))
  })

  it("of always to a text with stars holds for that text alone", async () => {
    const run = testRun({ ask: answering("always", "reject") })
    await run.authorize({ permission: "bash", patterns: ["cat *"] })
    expect(await run.authorize({ permission: "bash", patterns: ["cat *"] })).toBe("allowed")
    expect(await run.authorize({ permission: "bash", patterns: ["cat x; rm -rf ~"] })).toBeInstanceOf(
      PermissionDeniedError,
    )
  })

  it("of always holds for the patterns that the tool proposed", async () => {
    const run = testRun({ ask: answering("always", "reject") })
    await run.authorize({ ...need, always: ["make *"] })
    expect(await run.authorize({ permission: "bash", patterns: ["make lint", "make test"] })).toBe("allowed")
    expect(await run.authorize({ permission: "bash", patterns: ["make lint", "ls"] })).toBeInstanceOf(
      PermissionDeniedError,
    )
  })

  it("of always completes what rules allow already", async () => {
    const rules: PermissionRule[] = [{ permission: "bash", pattern: "cd *", action: "allow" }]
    const run = testRun({ rules, ask: answering("always", "reject") })
    const both: PermissionNeed = { permission: "bash", patterns: ["cd app", "make test"], always: ["make *"] }
    expect(await run.authorize(both)).toBe("allowed")
    expect(await run.authorize(both)).toBe("allowed")
  })

  it("of always never lifts a deny", async () => {
    const run = testRun({ rules: [denyRm], ask: answering("always") })
    await run.authorize({ ...need, always: ["*"] })
    expect(await run.authorize({ permission: "bash", patterns: ["rm x"] })).toEqual(denied("rule", "bash", "rm x"))
    expect(await run.authorize({ permission: "bash", patterns: ["make", "rm x"] })).toEqual(
      denied("rule", "bash", "rm x"),
    )
  })

  it("of always does not stand for an empty list of patterns", async () => {
    const run = testRun({ ask: answering("always", "reject") })
    await run.authorize({ ...need, always: ["*"] })
    expect(await run.authorize({ permission: "bash", patterns: [] })).toBeInstanceOf(PermissionDeniedError)
  })
})
