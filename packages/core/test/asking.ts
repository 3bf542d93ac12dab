import { memoryStorage } from "@pawl/storage-memory"
import { expect } from "vitest"
import type { EngineEvent } from "../src/index.ts"
import type { PermissionNeed, PermissionScope } from "../src/permission.ts"
import type { QuestionPart, Session, ToolPart } from "../src/record.ts"
import type { Storage } from "../src/storage.ts"
import { createIDSource } from "../src/base/ids.ts"
import { createEventBus } from "../src/contracts/events.ts"
import type { Hooks } from "../src/hooks/hooks.ts"
import type { AskChoice, AskPermission, AskPolicy } from "../src/contracts/ask.ts"
import { authorize, type AuthorizeDeps } from "../src/tool-call/authorize.ts"
import { createCallQuestions } from "../src/questions/call-questions.ts"
import { createQuestionDesk } from "../src/questions/desk.ts"
import { createJournal } from "../src/store/journal.ts"
import { createTurns } from "../src/store/turns.ts"
import { pending } from "../src/contracts/tool-state.ts"
import { conversation } from "./conversation.ts"

type PluginAnswer = "ask" | "allow" | "deny" | Error

export interface AskingWorld {
  readonly scopes?: readonly PermissionScope[]
  readonly ask?: AskPermission
  readonly askChoice?: AskChoice
  readonly askPolicy?: AskPolicy
  /** What a plugin says before a person is asked. */
  readonly plugin?: PluginAnswer | ((permission: string) => PluginAnswer)
  readonly signal?: AbortSignal
  /** Milliseconds that a question may stay open. */
  readonly question?: number
  readonly storage?: Storage
}

/** A session over a real storage, under a lease, whose calls need permissions. */
export async function askingWorld(world: AskingWorld) {
  const { scopes = [], plugin = "ask", question = 0, storage = memoryStorage() } = world
  const { signal = new AbortController().signal } = world
  const ids = createIDSource(Date.now)
  const events: EngineEvent[] = []
  const bus = createEventBus(
    () => "evt_1",
    (error) => expect.fail(String(error)),
  )
  bus.subscribe((event) => events.push(event))
  const id = ids.session()
  const time = { created: 1, updated: 1 }
  const session: Session = { id, projectID: "global", directory: "/", title: "", version: "1", time }
  await storage.commit(id, [{ type: "session.put", session }])
  const talk = conversation(ids, id)
  talk.user({ type: "text", text: "Go" })
  const message = talk.assistant({ time: { created: 1 } })
  await talk.commit(storage)
  const lease = await storage.acquire(id, "own_1", 60_000)
  if (!lease) throw new Error("The session is held.")
  const journal = createJournal({ storage, bus, now: Date.now }, id, lease.token)

  const guarded: unknown[] = []
  const guard = async (_name: string, input: { readonly permission: string }) => {
    guarded.push(input)
    const status = typeof plugin === "function" ? plugin(input.permission) : plugin
    if (status instanceof Error) throw status
    return { status }
  }
  const desk = createQuestionDesk({ storage, bus })
  const store = {
    ...{ storage, bus, ids, owner: "own_1", inTurn: createTurns(), now: Date.now },
    deadlines: { question, lease: 60_000 },
    isRunning: () => true,
  }
  const calls = { desk, ask: world.ask, askChoice: world.askChoice, askPolicy: world.askPolicy ?? ("deny" as const) }
  const deps = { hooks: { guard } as unknown as Hooks, store, calls } satisfies AuthorizeDeps

  /** A call of the session, with what it has asked before. */
  function callOf(callID: string, agent = "build", earlier: readonly QuestionPart[] = []) {
    const owner = { sessionID: id, messageID: message.info.id }
    const part: ToolPart = { id: ids.part(), ...owner, type: "tool", callID, tool: "bash", state: pending("{}") }
    const asking = { sessionID: id, rootSessionID: id, agent, journal, signal, earlier, part: () => part }
    const questions = createCallQuestions(deps, asking)
    const call = { tool: "bash", callID, messageID: message.info.id, sessionID: id, rootSessionID: id, agent }
    const input = { rules: { scopes }, questions, signal }
    return {
      questions,
      /** "allowed", or the error. What is staged is stored then, as when the call goes on. */
      async authorize(...needs: readonly PermissionNeed[]): Promise<unknown> {
        const outcome = await authorize(deps, call, needs, input).then(
          () => "allowed" as const,
          (error: unknown) => error,
        )
        await journal.commit([])
        questions.tell()
        return outcome
      },
    }
  }
  let count = 0
  return {
    ...{ storage, session, deps, desk, events, guarded, callOf, message: message.info },
    authorize: (...needs: readonly PermissionNeed[]) => callOf(`call_${++count}`).authorize(...needs),
    async questions(): Promise<QuestionPart[]> {
      const { messages } = await storage.readContext(id)
      return messages.flatMap(({ parts }) => parts.filter((part) => part.type === "question"))
    },
    async approvals() {
      return (await storage.getSession(id))?.approvals
    },
  }
}

/** Resolves once the condition holds; the test's own time limit is the deadline. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2))
}
