import { memoryStorage } from "@pawl/storage-memory"
import { join } from "node:path"
import { expect, it } from "vitest"
// By its place: core must not depend on a storage.
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel, lastPrompt } from "../answering-model.ts"
import { testTool } from "../engine-fixture.ts"
import { stopping, temporaryDirectory } from "../storages.ts"
import { called, said } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"
import { type Engine } from "../../src/engine.ts"
import { createEngine } from "../../src/create-engine.ts"
import type { SessionID } from "../../src/base/ids.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"
import type { Storage } from "../../src/contracts/storage.ts"
import type { Choice, MessageWithParts, Part } from "../../src/record/message.ts"
import { collected } from "../../src/base/collected.ts"

const WHICH: Choice = {
  ...{ header: "Way", question: "Which way?" },
  options: [{ label: "left", description: "Left." }],
}

/** What outlives a process, besides its storage. */
interface World {
  /** The keys of the calls that changed something. */
  readonly effects: string[]
  readonly invalid: string[]
}

/** An engine of one process; its parent edits and hands work over, and its child edits and asks. */
async function start(storage: Storage, { effects, invalid }: World, onEdit: (engine: Engine) => void): Promise<Engine> {
  const model = answeringModel(({ request }) => {
    const problem = unanswered(request)
    if (problem !== undefined) invalid.push(problem)
    const prompt = lastPrompt(request)
    const calls = new Set(request.messages.flatMap((message) => callsOf(message)))
    const next = (id: string, name: string, input = {}) => (calls.has(id) ? undefined : called(name, input, id))
    if (prompt.startsWith("dig"))
      return orSaid("Dug.", next("child-edit", "edit"), next("look", "look"), next("ask", "choose"))
    if (!prompt.startsWith("Begin")) return said(`Re: ${prompt.split("\n")[0]}`)
    const first = orSaid("", next("edit", "edit"), next("look", "look"), next("task", "task", { prompt: "dig" }))
    if (!calls.has("edit") && !calls.has("look") && !calls.has("task")) return first
    return orSaid("Begun.", next("risky", "risky"))
  })
  const effect = (name: string, more = {}) =>
    testTool(
      name,
      async (_input, { idempotencyKey, files }) => {
        await files.before("/srv/a.ts", undefined)
        effects.push(idempotencyKey)
        if (idempotencyKey.endsWith("/edit")) onEdit(engine)
        await files.after("/srv/a.ts", Buffer.from(idempotencyKey))
        return "done"
      },
      more,
    )
  const choose = testTool("choose", async (_input, context) => String(await context.ask([WHICH])), { resumable: true })
  const engine: Engine = await createEngine({
    ...{ storage, model: model.ref, environment: {}, askPolicy: "wait", random: () => 0 },
    providers: [{ id: "answers", name: "test", models: async () => [model.info], model: async () => model }],
    tools: [
      effect("edit"),
      effect("risky"),
      testTool("look", async () => "seen", { effect: "pure" }),
      choose,
      taskTool(),
    ],
    permission: [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" }] }],
  })
  const answer = (sessionID: SessionID, questionID: string, choice: boolean) => {
    const given = choice
      ? ({ type: "choice", answers: [["left"]] } as const)
      : ({ type: "permission", reply: "once" } as const)
    void engine.answer({ sessionID, questionID, answer: given } as never).catch(() => undefined)
  }
  engine.subscribe(({ type, properties }) => {
    if (type === "permission.asked") answer(properties.sessionID, properties.id, false)
    if (type === "question.asked") answer(properties.sessionID, properties.id, true)
  })
  return engine
}

const orSaid = (text: string, ...calls: readonly (ReturnType<typeof called> | undefined)[]) => {
  const made = calls.filter((each) => each !== undefined)
  return made.length > 0 ? made : said(text)
}

function callsOf({ role, content }: ModelRequest["messages"][number]): string[] {
  if (role !== "assistant") return []
  return content.flatMap((each) => (each.type === "tool-call" ? [each.callID.replace(/_.*/, "")] : []))
}

/** Why a provider would not take the request. */
function unanswered({ messages }: ModelRequest): string | undefined {
  for (const [at, message] of messages.entries()) {
    const calls = callsOf(message)
    if (calls.length === 0) continue
    const next = messages[at + 1]
    const results = next?.role === "tool" ? next.content.map(({ callID }) => callID.replace(/_.*/, "")) : []
    if (calls.toSorted().join() !== results.toSorted().join()) return `${calls.join()} answered by ${results.join()}`
  }
  return undefined
}

/** Runs until the storage stops at a commit, then goes on in a second process, and looks at what has become of it. */
async function crash(before: Storage, after: Storage, at: number, isMade: boolean) {
  const world: World = { effects: [], invalid: [] }
  const mortal = stopping(before, at, isMade)
  let second: Promise<unknown> = Promise.resolve()
  const first = await start(mortal.storage, world, (engine) => {
    const parts = [{ type: "text", text: "More" } as const]
    second = engine.prompt({ sessionID: id, parts, delivery: "queue", clientID: "more" }).catch(() => undefined)
  })
  const { id } = first.draftSession({ directory: "/nowhere" })
  await first.prompt({ sessionID: id, parts: [{ type: "text", text: "Begin" }] }).catch(() => undefined)
  await second
  await first.close().catch(() => undefined)
  const empty = (await withoutPrompt(after)).map((each) => `${each} has no prompt`)
  if (!(await after.getSession(id))) return { hasStopped: mortal.hasStopped(), problems: empty }
  const asked = textsOf(await wholeTree(after, id)).filter((text) => ["Begin", "More", "dig"].includes(text))

  const next = await start(after, world, () => undefined)
  for (let tries = 0; tries < 3; tries++) await next.resume(id)
  const left = [...(await next.queue(id)), ...(await next.questions(id))]
  await next.close()

  const all = await wholeTree(after, id)
  const said = textsOf(all)
  const count = (text: string) => said.filter((each) => each === text).length
  const isOpen = ({ info, parts }: MessageWithParts) => {
    const hasOpenCall = parts.some(
      (part) => part.type === "tool" && !["completed", "error"].includes(part.state.status),
    )
    return hasOpenCall || (info.role === "assistant" && info.time.completed === undefined)
  }
  const children = await collected(after.listSessions({ parentID: id }))
  const problems = [
    ...empty,
    ...left.map(() => "something waits for ever"),
    ...world.invalid,
    ...(world.effects.length > new Set(world.effects).size ? [`twice: ${world.effects.join()}`] : []),
    ...asked.filter((text) => count(text) !== 1).map((text) => `${text} is there ${count(text)} times`),
    ...all.flatMap(({ parts }) => parts.filter((part) => isLostLook(part)).map(({ id }) => `${id} did not run again`)),
    ...all.filter((message) => isOpen(message)).map(({ info }) => `${info.id} is not complete`),
    ...(asked.includes("Begin") && count("Begun.") !== 1 ? ["not answered"] : []),
    ...(asked.includes("More") && count("Re: More") !== 1 ? ["More is not answered"] : []),
    ...(children.length > 1 ? ["a second child"] : []),
  ]
  return { hasStopped: mortal.hasStopped(), problems }
}

/** The listed sessions that hold no message of a user. */
async function withoutPrompt(storage: Storage): Promise<SessionID[]> {
  const ids: SessionID[] = []
  for await (const { id } of storage.listSessions()) {
    const messages = await collected(storage.readMessages(id))
    if (!messages.some(({ info }) => info.role === "user")) ids.push(id)
  }
  return ids
}

/** A call without effects that was begun has a result after any crash. */
function isLostLook(part: Part): boolean {
  if (part.type !== "tool" || part.tool !== "look" || part.state.status !== "error") return false
  return !part.state.error.includes("before it ran")
}

async function wholeTree(storage: Storage, id: SessionID): Promise<MessageWithParts[]> {
  const children = await collected(storage.listSessions({ parentID: id }))
  const all = await Promise.all(
    [id, ...children.map((child) => child.id)].map((each) => collected(storage.readMessages(each))),
  )
  return all.flat()
}

function textsOf(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
}

/** The storage of one process and of the next. */
async function open(kind: "memory" | "sqlite"): Promise<[Storage, Storage]> {
  if (kind === "memory") {
    const storage = memoryStorage()
    return [storage, storage]
  }
  const path = join(await temporaryDirectory(), "pawl.db")
  return [await sqliteStorage({ path }), await sqliteStorage({ path })]
}

it.each(["memory", "sqlite"] as const)(
  "a run with an edit, a subagent, questions and a queued prompt goes on after a crash at any commit over %s: nothing is lost, nothing happens twice",
  async (kind) => {
    const problems: string[] = []
    let commits = 0
    for (const isMade of [false, true]) {
      for (let at = 0, isOver = false; !isOver; at++) {
        const [before, after] = await open(kind)
        const found = await crash(before, after, at, isMade)
        await Promise.all([before.close(), after.close()])
        problems.push(...found.problems.map((problem) => `commit ${at}, ${isMade ? "made" : "not made"}: ${problem}`))
        isOver = !found.hasStopped
        commits = at
      }
    }
    expect(problems).toEqual([])
    expect(commits).toBeGreaterThan(20)
  },
)
