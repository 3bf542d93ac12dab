import { describe, expect, it } from "vitest"
import { askingWorld, type AskingWorld, until } from "../../test/asking.ts"
import { PermissionDeniedError } from "../base/errors.ts"
import type { PermissionRule, QuestionPart } from "../record/message.ts"
import type { PermissionNeed } from "../contracts/tool.ts"
import type { AskPermission, PermissionRequest } from "../contracts/ask.ts"

const need: PermissionNeed = { permission: "bash", patterns: ["make test"] }
const allowAll: PermissionRule = { permission: "*", pattern: "*", action: "allow" }
const denyRm: PermissionRule = { permission: "bash", pattern: "rm *", action: "deny" }
const scopes = (...rules: PermissionRule[]) => [{ name: "configuration", rules }]

/** A world whose person gives these replies, the last of them over and over. */
async function worldOf({ replies, ...world }: AskingWorld & { readonly replies?: readonly unknown[] }) {
  const requests: PermissionRequest[] = []
  const ask: AskPermission = async (request) => {
    requests.push(request)
    return replies?.[Math.min(requests.length, replies.length) - 1] as "once"
  }
  return Object.assign(await askingWorld({ ...(replies ? { ask } : {}), ...world }), { requests })
}
const denied = (decidedBy: "rule" | "asked" | "feedback", permission = "bash", pattern = "make test") => {
  return expect.objectContaining({ name: "PermissionDeniedError", decidedBy, permission, pattern }) as unknown
}

describe("where a rule speaks", () => {
  it("an allow passes without asking anyone and without a commit", async () => {
    const world = await worldOf({ scopes: scopes(allowAll), replies: ["reject"], plugin: "deny" })
    const { revision } = await world.storage.readContext(world.session.id)
    expect(await world.authorize(need)).toBe("allowed")
    expect([world.guarded, world.requests, world.events]).toEqual([[], [], []])
    expect((await world.storage.readContext(world.session.id)).revision).toBe(revision)
  })

  it("a deny refuses without asking anyone, and names the rule with its place", async () => {
    const place = { name: "user", file: "/home/me/pawl.jsonc", rules: [allowAll, { ...denyRm, line: 7 }] }
    const world = await worldOf({ scopes: [place], replies: ["always"], plugin: "allow" })
    const error = await world.authorize({ permission: "bash", patterns: ["ls", "rm -rf /"] })
    expect(error).toEqual(denied("rule", "bash", "rm -rf /"))
    expect(error).toMatchObject({
      tool: "bash",
      rule: { ...denyRm, scope: "user", file: "/home/me/pawl.jsonc", line: 7 },
      message:
        'The rule { permission: "bash", pattern: "rm *", action: "deny" } (user, /home/me/pawl.jsonc:7) denies bash "rm -rf /".',
    })
    expect([world.guarded, world.requests, world.events]).toEqual([[], [], []])
  })

  it("every need has to be allowed", async () => {
    const world = await worldOf({ scopes: scopes(allowAll, denyRm) })
    expect(await world.authorize(need, { permission: "bash", patterns: ["rm x"] })).toEqual(
      denied("rule", "bash", "rm x"),
    )
    expect(await world.authorize({ permission: "edit", patterns: ["a"] })).toBe("allowed")
  })

  it("a need without patterns is asked, whatever is allowed", async () => {
    const world = await worldOf({ scopes: scopes(allowAll), replies: ["once"] })
    expect(await world.authorize({ permission: "bash", patterns: [] })).toBe("allowed")
    expect(world.requests).toHaveLength(1)
  })

  it("what is unclear is asked, with the reason", async () => {
    const rules = [{ permission: "bash", pattern: "make *", action: "allow" }] as const
    const world = await worldOf({ scopes: scopes(...rules), replies: ["once"] })
    expect(await world.authorize({ ...need, unclear: "It cannot be parsed." })).toBe("allowed")
    expect(world.requests).toMatchObject([{ always: [], metadata: { unclear: "It cannot be parsed." } }])
  })
})

describe("where nobody can be asked", () => {
  it("refuses at once, stores nothing, and names tool, pattern, rule and the next step", async () => {
    const rule: PermissionRule = { permission: "bash", pattern: "*", action: "ask" }
    const world = await worldOf({ scopes: scopes(rule) })
    const error = await world.authorize(need)
    expect(error).toEqual(denied("asked"))
    expect(error).toMatchObject({ tool: "bash", rule: { ...rule, scope: "configuration" } })
    expect((error as Error).message).toMatch(
      /^The bash tool .*bash "make test".*pattern: "\*".*this run cannot ask.*configuration/,
    )
    expect(await world.questions()).toEqual([])
  })

  it("says why a command is unclear, in place of the rule that would allow it", async () => {
    const rule: PermissionRule = { permission: "bash", pattern: "make *", action: "allow" }
    const world = await worldOf({ scopes: scopes(rule) })
    const error = await world.authorize({ ...need, unclear: "It cannot be parsed." })
    expect((error as Error).message).toBe(
      'The bash tool needs permission for bash "make test", because it is not clear what it does, and this run cannot ask. It cannot be parsed.',
    )
  })

  it("tells those who follow the run what is refused, and why, before it throws", async () => {
    const rule: PermissionRule = { permission: "bash", pattern: "*", action: "ask" }
    const world = await worldOf({ scopes: scopes(rule) })
    await world.authorize({ ...need, directory: "/app" })
    const { id: sessionID } = world.session
    const ofRoot = { sessionID, rootSessionID: sessionID }
    const refused = { tool: "bash", permission: "bash", pattern: "make test", decidedBy: "asked" }
    expect(world.events).toMatchObject([
      {
        type: "permission.asked",
        properties: {
          ...{ ...ofRoot, tool: { messageID: world.message.id, callID: "call_1" } },
          ...{ permission: "bash", patterns: ["make test"], directory: "/app" },
          refused: { ...refused, rule: { ...rule, scope: "configuration" } },
        },
      },
      { type: "permission.replied", properties: { ...ofRoot, reply: "reject" } },
    ])
    const [asked, replied] = world.events.map(({ properties }) => properties as { id?: string; requestID?: string })
    expect(replied?.requestID).toBe(asked?.id)
  })

  it("tells once of a question that was asked before a crash, and closes it", async () => {
    const about = {
      type: "permission",
      permission: "bash",
      patterns: ["make test"],
      always: ["make test"],
      metadata: {},
    }
    const world = await worldOf({ scopes: scopes({ permission: "bash", pattern: "*", action: "ask" }) })
    const { id: messageID, sessionID } = world.message
    const question = {
      id: "prt_0",
      sessionID,
      messageID,
      type: "question",
      callID: "call_1",
      about,
      time: { created: 1 },
    }
    const call = world.callOf("call_1", "build", [question as QuestionPart])
    expect(await call.authorize(need)).toEqual(denied("asked"))
    const told = world.events.filter(({ type }) => type.startsWith("permission."))
    expect(told).toMatchObject([
      { type: "permission.asked", properties: { id: "prt_0", refused: { decidedBy: "asked" } } },
      { type: "permission.replied", properties: { requestID: "prt_0", reply: "reject" } },
    ])
    expect(await world.questions()).toMatchObject([{ id: "prt_0", answer: { type: "dismissed" } }])
  })

  it("has no rule to name where none speaks", async () => {
    expect(await (await worldOf({})).authorize(need)).toMatchObject({ rule: undefined })
  })
})

describe("where it is to be asked", () => {
  it("asks a plugin before a person, with the call", async () => {
    const world = await worldOf({ plugin: "allow", replies: ["reject"] })
    expect(await world.authorize({ ...need, metadata: { cwd: "/" } })).toBe("allowed")
    expect(world.guarded).toMatchObject([{ callID: "call_1", permission: "bash", metadata: { cwd: "/" } }])
    expect([world.requests, await world.questions()]).toEqual([[], []])
  })

  it("a plugin's refusal lets the model try something else", async () => {
    const world = await worldOf({ plugin: "deny", replies: ["always"] })
    expect(await world.authorize(need)).toEqual(denied("rule"))
    expect(world.requests).toEqual([])
  })

  it("a plugin that fails refuses", async () => {
    const broken = new Error("broken")
    const world = await worldOf({ plugin: broken, replies: ["always"] })
    expect(await world.authorize(need)).toBe(broken)
    expect(world.requests).toEqual([])
  })

  it("stores the question with its pending call before anybody sees it", async () => {
    const seen: unknown[] = []
    const world = await askingWorld({
      async ask({ id }) {
        const { messages } = await world.storage.readContext(world.session.id)
        seen.push(messages.at(-1)?.parts.map((part) => [part.type, part.id === id]))
        return "once"
      },
    })
    expect(await world.authorize(need)).toBe("allowed")
    expect(seen).toEqual([
      [
        ["tool", false],
        ["question", true],
      ],
    ])
  })

  it("asks a person with all there is to know, and tells of question and answer", async () => {
    const world = await worldOf({ replies: ["once"] })
    expect(await world.authorize({ ...need, always: ["make *"], metadata: { cwd: "/" } })).toBe("allowed")

    const [part] = await world.questions()
    const { id: sessionID } = world.session
    const request = {
      ...{ id: part?.id, sessionID, rootSessionID: sessionID },
      ...{ permission: "bash", patterns: ["make test"], always: ["make *"], metadata: { cwd: "/" } },
      tool: { messageID: world.message.id, callID: "call_1" },
    }
    expect(world.requests).toEqual([request])
    const about = world.events.filter(({ type }) => type.startsWith("permission"))
    expect(about.map(({ type, properties }) => ({ type, properties }))).toEqual([
      { type: "permission.asked", properties: request },
      {
        type: "permission.replied",
        properties: { sessionID, rootSessionID: sessionID, requestID: part?.id, reply: "once" },
      },
    ])
    expect(part).toMatchObject({
      answer: { type: "permission", reply: "once" },
      time: { closed: expect.any(Number) as number },
    })
  })

  it.each<[string, AskPermission]>([
    ["a refusal", async () => "reject"],
    ["nothing", async () => undefined as never],
    ["an unknown word", async () => "yes" as never],
    ["a reply in an unknown word", async () => ({ reply: "yes" }) as never],
    ["a rejection", () => Promise.reject(new Error("The window was closed."))],
    [
      "an error before the question",
      () => {
        throw new Error("There is no window.")
      },
    ],
  ])("takes %s for a refusal, and says so in the events", async (_what, ask) => {
    const world = await askingWorld({ ask })
    expect(await world.authorize(need)).toEqual(denied("asked"))
    expect(world.events.at(-1)).toMatchObject({ type: "permission.replied", properties: { reply: "reject" } })
  })

  it("takes a refusal with a message for a hint to the model", async () => {
    const world = await worldOf({ replies: [{ reply: "reject", message: "Run only the unit tests." }] })
    const error = await world.authorize(need)
    expect(error).toEqual(denied("feedback"))
    expect((error as Error).message).toContain("Run only the unit tests.")
  })

  it("asks for nothing of a call of which a rule denies a part, wherever that stands", async () => {
    const edit = { permission: "edit", patterns: ["a"] }
    const remove = { permission: "bash", patterns: ["rm x"] }
    for (const needs of [
      [edit, remove],
      [remove, edit],
      [edit, need, remove],
    ]) {
      const world = await worldOf({ scopes: scopes(denyRm), replies: ["always"], plugin: "ask" })
      expect(await world.authorize(...needs)).toEqual(denied("rule", "bash", "rm x"))
      expect([world.requests, world.guarded, world.events]).toEqual([[], [], []])
    }
  })

  it("asks for nothing of a call of which a plugin denies a part", async () => {
    const world = await worldOf({
      plugin: (permission) => (permission === "bash" ? "deny" : "ask"),
      replies: ["always"],
    })
    expect(await world.authorize({ permission: "edit", patterns: ["a"] }, need)).toEqual(denied("rule"))
    expect([world.requests, await world.questions()]).toEqual([[], []])
  })

  it("asks for every need, one after the other", async () => {
    const world = await worldOf({ replies: ["once"] })
    expect(await world.authorize({ permission: "edit", patterns: ["a"] }, need)).toBe("allowed")
    expect(world.requests.map(({ permission }) => permission)).toEqual(["edit", "bash"])
  })

  it("goes on to no further need after a refusal", async () => {
    const world = await worldOf({ replies: ["reject"] })
    await world.authorize(need, { permission: "edit", patterns: ["a"] })
    expect(world.requests).toHaveLength(1)
  })

  it("waits no longer than the run goes on, and closes the question", async () => {
    const controller = new AbortController()
    const reason = new Error("stopped by the user")
    const world = await askingWorld({ ask: () => new Promise(() => {}), signal: controller.signal })
    const outcome = world.authorize(need)
    await until(() => world.events.some(({ type }) => type === "permission.asked"))
    controller.abort(reason)

    expect(await outcome).toBe(reason)
    expect(world.events.at(-1)).toMatchObject({ type: "permission.replied" })
    expect(await world.questions()).toMatchObject([{ answer: { type: "dismissed" } }])
  })

  it("asks nobody any more in a run that has been stopped", async () => {
    const reason = new Error("stopped by the user")
    const world = await worldOf({ replies: ["always"], signal: AbortSignal.abort(reason) })
    expect(await world.authorize(need)).toBe(reason)
    expect(world.requests).toEqual([])
  })
})

describe("a question that stays unanswered", () => {
  it("is a refusal after its deadline, and is closed", async () => {
    let given: AbortSignal | undefined
    const world = await askingWorld({
      ask: (_request, signal) => ((given = signal), new Promise(() => {})),
      question: 20,
    })
    const error = await world.authorize(need)

    expect(error).toEqual(denied("asked"))
    expect((error as Error).message).toBe('bash "make test" was not answered within 0.02 s.')
    expect(given?.aborted).toBe(true)
    expect(world.events.at(-1)).toMatchObject({ type: "permission.replied", properties: { reply: "reject" } })
    expect(await world.questions()).toMatchObject([{ answer: { type: "dismissed" } }])
  })

  it("waits as long as it takes where there is no deadline", async () => {
    const world = await askingWorld({
      ask: () => new Promise((resolve) => setTimeout(resolve, 20, "once")),
      question: 0,
    })
    expect(await world.authorize(need)).toBe("allowed")
  })
})

describe("an answer", () => {
  it("of once is asked for again", async () => {
    const world = await worldOf({ replies: ["once", "reject"] })
    expect(await world.authorize(need)).toBe("allowed")
    expect(await world.authorize(need)).toBeInstanceOf(PermissionDeniedError)
    expect(await world.approvals()).toBeUndefined()
  })

  it("of always stands in the root session and is not asked for again", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    expect(await world.authorize(need)).toBe("allowed")
    expect(await world.authorize(need)).toBe("allowed")
    expect(world.requests).toHaveLength(1)
    const approval = { agent: "build", permission: "bash", pattern: "make test" }
    expect(await world.approvals()).toMatchObject([approval])
  })

  it.each([
    ["make test --all", "bash", "build"],
    ["make", "bash", "build"],
    ["make test", "edit", "build"],
    ["make test", "bash", "review"],
  ])("of always does not hold for %j with %s of the agent %s", async (pattern, permission, agent) => {
    const world = await worldOf({ replies: ["always", "reject"] })
    await world.authorize(need)
    const other = world.callOf("call_other", agent)
    expect(await other.authorize({ permission, patterns: [pattern] })).toEqual(denied("asked", permission, pattern))
  })

  it("of always to a text with stars holds for that text alone", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    await world.authorize({ permission: "bash", patterns: ["cat *"] })
    expect(await world.authorize({ permission: "bash", patterns: ["cat *"] })).toBe("allowed")
    expect(await world.authorize({ permission: "bash", patterns: ["cat x; rm -rf ~"] })).toBeInstanceOf(
      PermissionDeniedError,
    )
  })

  it("of always holds for what the tool proposes in the same words again", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    const wide = { permission: "bash", always: ["make *"] }
    await world.authorize({ ...wide, patterns: ["make test"] })
    expect(await world.authorize({ ...wide, patterns: ["make lint", "make test"] })).toBe("allowed")
    expect(await world.authorize({ ...wide, patterns: ["make lint", "ls"] })).toBeInstanceOf(PermissionDeniedError)
    expect(await world.authorize({ permission: "bash", patterns: ["make lint"] })).toBeInstanceOf(PermissionDeniedError)
  })

  it("of always to what the tool proposes ends with the word before its star", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    const wide = { permission: "bash", always: ["ls*"] }
    await world.authorize({ ...wide, patterns: ["ls"] })
    expect(await world.authorize({ ...wide, patterns: ["ls -l"] })).toBe("allowed")
    expect(await world.authorize({ ...wide, patterns: ["lsof"] })).toEqual(denied("asked", "bash", "lsof"))
  })

  it("of always holds in the directory that it was given for, and in no other", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    const inDirectory = (directory: string) => ({ ...need, directory })
    expect(await world.authorize(inDirectory("/app/build"))).toBe("allowed")
    expect(await world.authorize(inDirectory("/app/build"))).toBe("allowed")
    expect(world.requests).toMatchObject([{ directory: "/app/build" }])
    expect(await world.approvals()).toMatchObject([{ pattern: "make test", directory: "/app/build" }])
    expect(await world.authorize(inDirectory("/app"))).toEqual(denied("asked"))
    expect(await world.authorize(need)).toEqual(denied("asked"))
  })

  it("of always without a directory does not hold where one is told", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    await world.authorize(need)
    expect(await world.authorize({ ...need, directory: "/app" })).toEqual(denied("asked"))
  })

  it("of always in two directories is two approvals", async () => {
    const world = await worldOf({ replies: ["always"] })
    for (const directory of ["/a", "/b", "/a"]) await world.authorize({ ...need, directory })
    expect(await world.approvals()).toMatchObject([{ directory: "/a" }, { directory: "/b" }])
  })

  it("of always counts once where nothing can be allowed for good, whatever was approved before", async () => {
    const world = await worldOf({ replies: ["always", "always", "reject"] })
    await world.authorize(need)
    const never = { ...need, always: [] }
    expect(await world.authorize(never)).toBe("allowed")
    expect(world.requests[1]).toMatchObject({ always: [] })
    expect((await world.questions())[1]).toMatchObject({ answer: { reply: "once" } })
    expect(await world.authorize(never)).toEqual(denied("asked"))
    expect(await world.approvals()).toHaveLength(1)
  })

  it("of always does not stand for the same words where it is unclear what they do", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    await world.authorize(need)
    expect(await world.authorize({ ...need, unclear: "It sets PATH." })).toEqual(denied("asked"))
  })

  it("of always completes what rules allow already", async () => {
    const rules: PermissionRule[] = [{ permission: "bash", pattern: "cd *", action: "allow" }]
    const world = await worldOf({ scopes: scopes(...rules), replies: ["always", "reject"] })
    const both: PermissionNeed = { permission: "bash", patterns: ["cd app", "make test"], always: ["make *"] }
    expect(await world.authorize(both)).toBe("allowed")
    expect(await world.authorize(both)).toBe("allowed")
  })

  it("of always never lifts a deny", async () => {
    const world = await worldOf({ scopes: scopes(denyRm), replies: ["always"] })
    await world.authorize({ ...need, always: ["*"] })
    expect(await world.authorize({ permission: "bash", patterns: ["rm x"], always: ["*"] })).toEqual(
      denied("rule", "bash", "rm x"),
    )
  })

  it("of always with patterns of the user's own holds for what they match, and for nothing else", async () => {
    const world = await worldOf({ replies: [{ reply: "always", patterns: ["make test *"] }, "reject"] })
    expect(await world.authorize(need)).toBe("allowed")
    expect(await world.approvals()).toMatchObject([{ pattern: "make test *", glob: true }])
    expect(await world.authorize({ permission: "bash", patterns: ["make test --all"] })).toBe("allowed")
    const outside: PermissionNeed[] = [
      { permission: "bash", patterns: ["make tests"] },
      { permission: "bash", patterns: ["make test", "ls"] },
      { permission: "edit", patterns: ["make test"] },
      { ...need, directory: "/app" },
      { ...need, unclear: "It sets PATH." },
      { ...need, always: [] },
      { permission: "bash", patterns: [] },
    ]
    for (const each of outside) expect(await world.authorize(each)).toBeInstanceOf(PermissionDeniedError)
    expect(await world.callOf("call_other", "review").authorize(need)).toEqual(denied("asked"))
    expect(world.requests).toHaveLength(2 + outside.length)
  })

  it("of always with patterns never lifts a deny, nor a limit to a directory", async () => {
    const world = await worldOf({ scopes: scopes(denyRm), replies: [{ reply: "always", patterns: ["*"] }, "reject"] })
    await world.authorize({ ...need, directory: "/app" })
    expect(await world.authorize({ permission: "bash", patterns: ["ls"], directory: "/app" })).toBe("allowed")
    expect(await world.authorize({ permission: "bash", patterns: ["rm x"], directory: "/app" })).toEqual(
      denied("rule", "bash", "rm x"),
    )
    expect(await world.authorize({ permission: "bash", patterns: ["ls"], directory: "/" })).toBeInstanceOf(
      PermissionDeniedError,
    )
  })

  it.each([
    ["do not match", ["make lint"]],
    ["are empty", []],
    ["hold no text", [1]],
    ["are no list", "make *"],
  ])("of always counts once where the patterns %s", async (_, patterns) => {
    const world = await worldOf({ replies: [{ reply: "always", patterns }, "reject"] })
    expect(await world.authorize(need)).toBe("allowed")
    expect(await world.approvals()).toBeUndefined()
    expect(await world.questions()).toMatchObject([{ answer: { reply: "once" } }])
    expect(await world.authorize(need)).toEqual(denied("asked"))
  })

  it("of always does not stand for an empty list of patterns, nor for what is unclear", async () => {
    const world = await worldOf({ replies: ["always", "reject"] })
    await world.authorize({ ...need, always: ["*"] })
    expect(await world.authorize({ permission: "bash", patterns: [], always: ["*"] })).toBeInstanceOf(
      PermissionDeniedError,
    )
    const unclear = { permission: "bash", patterns: ["$x"], always: ["*"], unclear: "It is not literal." }
    expect(await world.authorize(unclear)).toBeInstanceOf(PermissionDeniedError)
  })
})

describe("several questions at once", () => {
  it("lose nothing, whatever stands in them: a hundred answers of always are a hundred approvals", async () => {
    const hostile = (n: number) => `echo ${n} "\u0000\u001B[31m'\n{"reply":"always"} \u202E; rm -rf ~ *?\\`
    const world = await askingWorld({ askPolicy: "wait" })
    const outcomes = Array.from({ length: 100 }, (_, n) =>
      world.authorize({ permission: "bash", patterns: [hostile(n)] }),
    )
    await until(() => world.events.filter(({ type }) => type === "permission.asked").length === 100)
    const open = await world.questions()
    for (const { id } of open) world.openQuestions.find(id)?.take({ type: "permission", reply: "always" })

    expect(await Promise.all(outcomes)).toEqual(Array(100).fill("allowed"))
    const patterns = (await world.approvals())?.map(({ pattern }) => pattern)
    expect(patterns?.toSorted()).toEqual(Array.from({ length: 100 }, (_, n) => hostile(n)).toSorted())
    const closed = await world.questions()
    expect(closed.filter(({ answer }) => answer?.type === "permission" && answer.reply === "always")).toHaveLength(100)
  })

  it("are answered by one always where it covers them", async () => {
    const world = await askingWorld({ askPolicy: "wait" })
    const wide = { permission: "bash", always: ["make *"] }
    const both = [
      world.authorize({ ...wide, patterns: ["make a"] }),
      world.authorize({ ...wide, patterns: ["make b"] }),
    ]
    const other = world.callOf("call_other", "review").authorize({ ...wide, patterns: ["make c"] })
    await until(async () => (await world.questions()).length === 3)
    const [first, , third] = await world.questions()
    world.openQuestions.find(first?.id ?? "")?.take({ type: "permission", reply: "always" })

    expect(await Promise.all(both)).toEqual(["allowed", "allowed"])
    const replies = world.events.filter(({ type }) => type === "permission.replied")
    expect(replies.map(({ properties }) => properties)).toMatchObject([{ reply: "always" }, { reply: "always" }])
    // Another agent's stays open.
    world.openQuestions.find(third?.id ?? "")?.take({ type: "permission", reply: "once" })
    expect(await other).toBe("allowed")
  })

  it("of a session are all refused by one refusal, unless it is a hint", async () => {
    const world = await askingWorld({ askPolicy: "wait" })
    const outcomes = ["a", "b", "c"].map((pattern) => world.authorize({ permission: "bash", patterns: [pattern] }))
    await until(async () => (await world.questions()).length === 3)
    const [first, second] = await world.questions()
    world.openQuestions.find(first?.id ?? "")?.take({ type: "permission", reply: "reject", message: "Not this." })
    expect(await outcomes[0]).toEqual(denied("feedback", "bash", "a"))
    expect((await world.questions()).filter(({ time }) => time.closed === undefined)).toHaveLength(2)
    world.openQuestions.find(second?.id ?? "")?.take({ type: "permission", reply: "reject" })
    expect(await Promise.all(outcomes)).toEqual([
      denied("feedback", "bash", "a"),
      denied("asked", "bash", "b"),
      denied("asked", "bash", "c"),
    ])
  })
})

describe("a call that goes on after a crash", () => {
  async function answered(reply: "once" | "always" | "reject") {
    const world = await worldOf({ replies: [reply, "reject"] })
    await world.callOf("call_1").authorize(need)
    return { world, again: world.callOf("call_1", "build", await world.questions()) }
  }

  it.each(["once", "always"] as const)("is not asked again what was answered %s", async (reply) => {
    const { world, again } = await answered(reply)
    expect(await again.authorize(need)).toBe("allowed")
    expect(world.requests).toHaveLength(1)
  })

  it("stays refused", async () => {
    const { world, again } = await answered("reject")
    expect(await again.authorize(need)).toEqual(denied("asked"))
    expect(world.requests).toHaveLength(1)
  })

  it("stays refused without another question, whatever it needs besides", async () => {
    const { world, again } = await answered("reject")
    expect(await again.authorize({ permission: "edit", patterns: ["a"] }, need)).toEqual(denied("asked"))
    expect(world.requests).toHaveLength(1)
  })

  it("is asked for what it needs besides", async () => {
    const { again } = await answered("once")
    expect(await again.authorize({ permission: "bash", patterns: ["other"] })).toEqual(denied("asked", "bash", "other"))
  })

  it("is asked again where it would work in another directory than when it was answered", async () => {
    const world = await worldOf({ replies: ["once"] })
    const inDirectory = (directory: string) => ({ ...need, directory })
    expect(await world.callOf("call_1").authorize(inDirectory("/app/sub"))).toBe("allowed")
    const later = await worldOf({})
    const again = later.callOf("call_1", "build", await world.questions())
    expect(await again.authorize(inDirectory("/app/sub"))).toBe("allowed")
    const moved = later.callOf("call_1", "build", await world.questions())
    expect(await moved.authorize(inDirectory("/app"))).toEqual(denied("asked"))
  })

  it("asks an open question again under its id", async () => {
    const world = await askingWorld({ askPolicy: "wait" })
    void world.callOf("call_1").authorize(need)
    await until(async () => (await world.questions()).length === 1)
    const earlier = await world.questions()
    const outcome = world.callOf("call_1", "build", earlier).authorize(need)
    await until(() => world.events.filter(({ type }) => type === "permission.asked").length === 2)
    world.openQuestions.find(earlier[0]?.id ?? "")?.take({ type: "permission", reply: "once" })
    expect(await outcome).toBe("allowed")
    expect(await world.questions()).toMatchObject([{ id: earlier[0]?.id, answer: { reply: "once" } }])
  })

  it("heeds a deny that was written meanwhile", async () => {
    const { world } = await answered("once")
    const later = await worldOf({ scopes: scopes({ ...denyRm, pattern: "make *" }), replies: ["always"] })
    const again = later.callOf("call_1", "build", await world.questions())
    expect(await again.authorize(need)).toEqual(denied("rule"))
  })
})

it("counts the first of several answers", async () => {
  const world = await askingWorld({ askPolicy: "wait" })
  const outcome = world.authorize(need)
  await until(async () => (await world.questions()).length === 1)
  const open = world.openQuestions.find((await world.questions())[0]?.id ?? "")
  expect(open?.take({ type: "permission", reply: "once" })).toBe(true)
  expect(open?.take({ type: "permission", reply: "reject" })).toBe(false)
  expect(await outcome).toBe("allowed")
  expect(await world.questions()).toMatchObject([{ answer: { reply: "once" } }])
})

it("reads nothing of other processes where a program answers at once", async () => {
  const world = await worldOf({ replies: ["once"] })
  let reads = 0
  const readContext = world.storage.readContext.bind(world.storage)
  world.storage.readContext = (id) => (reads++, readContext(id))
  expect(await world.authorize(need)).toBe("allowed")
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(reads).toBe(0)
})
