import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt } from "../answering-model.ts"
import { callWorld, type CallWorld } from "../call-world.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { dying } from "../storages.ts"
import { called, said } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"
import type { PluginEntry } from "../../src/plugin.ts"
import type { HookInput } from "../../src/contracts/hooks.ts"
import type { PermissionRules } from "../../src/permission/rules.ts"
import { permissionRules } from "../../src/permission/scopes.ts"
import type { Storage } from "../../src/contracts/storage.ts"
import type { Tool } from "../../src/contracts/tool.ts"
import type { PermissionReply } from "../../src/contracts/ask.ts"
import type { Session } from "../../src/record/message.ts"

const sources = [
  ...(["built-in", "user tool", "plugin", "MCP-like", "subagent", "resumed"] as const),
  ...(["plugin's function", "replaced plugin", "resumed plugin's function"] as const),
] as const
type Source = (typeof sources)[number]
const depths = [0, 1, 2, 3] as const
const verdicts = ["deny", "ask-refused", "ask-answered", "allow"] as const
type Verdict = (typeof verdicts)[number]
const runs: Record<Verdict, number> = { deny: 0, "ask-refused": 0, "ask-answered": 1, allow: 1 }
const actions = { deny: "deny", "ask-refused": "ask", "ask-answered": "ask", allow: "allow" } as const
const replies: Record<Verdict, PermissionReply> = {
  ...{ deny: "always", "ask-refused": "reject", "ask-answered": "once", allow: "reject" },
}

type Before = HookInput<"tool.execute.before">
type After = HookInput<"tool.execute.after">

/** A tool that counts, offered as its source offers tools, and a plugin that is told of its calls. */
function probe(source: Source) {
  const name = source === "MCP-like" ? "server_probe" : "probe"
  const seen = { executions: 0, before: [] as Before[], after: [] as After[] }
  const tool = testTool(name, async () => (seen.executions++, "probed"))
  const isGiven = source.endsWith("function") || source === "replaced plugin" || source === "MCP-like"
  const isOffered = source === "plugin" || isGiven
  const inPlace = testTool(name, () => Promise.reject(new Error("It was replaced.")))
  const tools: Tool[] = isOffered ? [] : source === "user tool" ? [inPlace, tool] : [tool]
  const watcher = (): PluginEntry => ({
    id: "watcher",
    plugin: () => ({
      "tool.execute.before": (input) => void (input.tool === name && seen.before.push(input)),
      "tool.execute.after": (input) => void (input.tool === name && seen.after.push(input)),
    }),
  })
  const given = { [name]: { ...tool, ...(source === "MCP-like" ? { deferrable: true } : {}) } }
  const offering = (): PluginEntry => ({ id: "offering", plugin: () => ({ tool: isGiven ? () => given : given }) })
  const plugins = () => (isOffered ? [offering(), watcher()] : [watcher()])
  return { name, seen, tools, plugins, isReplaced: source === "replaced plugin" }
}
type Probe = ReturnType<typeof probe>

/** Each session hands on to one below it, down to `depth`, where the tool is called. */
function handingDown(depth: number, tool: string) {
  return answeringModel(({ request }) => {
    if (request.messages.at(-1)?.role === "tool") return said("Done.")
    const at = Number(lastPrompt(request))
    return at === depth ? [called(tool, {}, "probed")] : [called("task", { prompt: String(at + 1) }, `task-${at}`)]
  })
}

const scoped = (permission: string, action: "allow" | "ask" | "deny") => {
  return [{ name: "matrix", rules: [{ permission, pattern: "*", action }] }] as const
}
// Those below may delegate as well.
const agents = [{ name: "general", permission: [{ permission: "task", pattern: "*", action: "allow" as const }] }]

async function engineOf(depth: number, of: Probe, verdict: Verdict, storage: Storage, session?: Session) {
  return testEngine({
    ...{ model: handingDown(depth, of.name), storage, agents, subagentDepth: 9, plugins: of.plugins() },
    ...{ tools: [...of.tools, taskTool()], permission: scoped(of.name, actions[verdict]) },
    ask: async () => replies[verdict],
    ...(session ? { session } : {}),
  })
}

/** A session whose process died while the tool's call, `depth` below, waited for an answer. */
async function interrupted(depth: number, source: Source, storage: Storage): Promise<Session> {
  const of = probe(source)
  let isDead = false
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const first = await testEngine({
    ...{ model: handingDown(depth, of.name), agents, subagentDepth: 9, plugins: of.plugins() },
    ...{ tools: [...of.tools, taskTool()], permission: scoped(of.name, "ask") },
    storage: dying(storage, () => isDead),
    ask() {
      isDead = true
      resolve()
      return new Promise(() => {})
    },
  })
  const run = first.ask("0").catch(() => undefined)
  await asked
  await first.engine.close().catch(() => undefined)
  await run
  expect(of.seen.executions).toBe(0)
  return first.session
}

describe.each(sources)("a call of a %s", (source) => {
  const cells = depths.flatMap((depth) => verdicts.map((verdict) => [depth, verdict] as const))
  it.each(cells)("%i sessions below the root, at %s", async (given, verdict) => {
    const depth = source === "subagent" ? given + 1 : given
    const storage = memoryStorage()
    const of = probe(source)
    const session = source.startsWith("resumed") ? await interrupted(depth, source, storage) : undefined
    await using test = await engineOf(depth, of, verdict, storage, session)
    // Again and again: before the call, while people are asked, and while it runs.
    if (of.isReplaced) test.engine.subscribe(() => void test.engine.plugins.set(of.plugins()))

    await (session ? test.engine.resume(session.id) : test.ask("0"))

    const { executions, before, after } = of.seen
    const status = runs[verdict] === 1 ? "completed" : "denied"
    const told = { tool: of.name, callID: "probed", rootSessionID: test.session.id }
    expect(executions).toBe(runs[verdict])
    expect(before).toMatchObject([told])
    expect(after).toMatchObject([{ ...told, status, args: {} }])
    expect(before[0]?.sessionID).toBe(after[0]?.sessionID)
    expect(await depthOf(storage, after[0]?.sessionID ?? "ses_")).toBe(depth)
  })
})

async function depthOf(storage: Storage, id: Session["id"]): Promise<number> {
  const session = await storage.getSession(id)
  return session?.parentID ? 1 + (await depthOf(storage, session.parentID)) : 0
}

describe("without the guard", () => {
  /** A call at a depth, where the rule stands in the topmost session. */
  async function execute(
    depth: number,
    verdict: Verdict,
    parts: CallWorld["parts"] = {},
    without = (rules: PermissionRules) => rules,
  ) {
    const of = probe("built-in")
    const ruled = { permission: [...scoped(of.name, actions[verdict])[0].rules] }
    const by = { delegation: { agent: "build", messageID: "msg_1", callID: "call_1" } } as const
    const above = Array.from({ length: depth }, (_, at) => (at === depth - 1 ? ruled : by))
    const sources = { agents: new Map([["build", { name: "build" }]]), permission: [] }
    const own = depth === 0 ? ruled : by
    const rules = without(permissionRules(sources, { name: "build" }, own, above))
    const world = await callWorld({
      tools: of.tools,
      plugins: of.plugins(),
      rules,
      parts,
      ask: async () => replies[verdict],
    })
    await world.run(world.newPart(of.name))
    return { executions: of.seen.executions, before: of.seen.before.length, after: of.seen.after.length }
  }
  const cells = depths.flatMap((depth) => verdicts.map((verdict) => ({ depth, verdict })))

  it("that all calls go through, the matrix holds in a scene made by hand", async () => {
    for (const { depth, verdict } of cells) {
      expect(await execute(depth, verdict)).toEqual({ executions: runs[verdict], before: 1, after: 1 })
    }
  })

  it("of permissions, every call that is denied or refused would run", async () => {
    const parts = { authorize: async () => undefined }
    for (const { depth, verdict } of cells) expect((await execute(depth, verdict, parts)).executions).toBe(1)
  })

  it("of ceilings, what is denied or refused above would run below", async () => {
    const without = ({ scopes }: PermissionRules): PermissionRules => ({ scopes })
    for (const { depth, verdict } of cells) {
      const isAbove = depth > 0
      expect((await execute(depth, verdict, {}, without)).executions).toBe(isAbove ? 1 : runs[verdict])
    }
  })
})
