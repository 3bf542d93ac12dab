import type { Agent, MessageWithParts, Session } from "@pawl/core"
import { compactionProblem, isFor } from "@pawl/core"
import { type Answer, excerpt, type MessageID, type SessionID } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import type { Runtime, RuntimeHost } from "@pawl/runtime"
import { addNote } from "@pawl/runtime/notes/add-note"
import { noteFiles } from "@pawl/runtime/notes/note-files"
import { allAgents } from "@pawl/runtime/config/agents"
import { askedBecause } from "@pawl/terminal-text/asked-because"
import { proposedChange } from "@pawl/terminal-text/proposed-change"
import type { OpenQuestion, QueuedPrompt } from "../state/view.ts"
import { createStoredEvents } from "./stored-events.ts"
import { createFileFinder } from "./find-files.ts"
import { openQuestion } from "./open-question.ts"
import { runtimePrompt } from "./runtime-prompt.ts"
import { createSendOrder } from "./send-order.ts"
import { readSpending } from "./read-spending.ts"
import type { AgentChoice, OpenedSession, QuestionDetails, Source, TextHit } from "./source.ts"

export interface RuntimeSourceOptions {
  /** Opened with the ask policy `wait`, so that questions stay open until this source answers them. */
  readonly runtime: Runtime
  readonly mask: (text: string) => string
  /** Home directory and variables, which decide about the user's own instructions. Default: neither. */
  readonly host?: Pick<RuntimeHost, "home" | "environment">
}

/** Messages of an opened session that are read: older ones are read when the user asks for them. */
const MAX_OPENED = 200
const EXCERPT_LENGTH = 80

function agentChoice({ name, description, color }: Agent): AgentChoice {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(color === undefined ? {} : { color }),
  }
}

/** Sessions of an engine in this process. */
export function createRuntimeSource({ runtime, mask, host }: RuntimeSourceOptions): Source {
  const { home, environment = {} } = host ?? {}
  const { engine, storage, current, model, variant } = runtime
  const { directory } = runtime.settings
  const findFiles = createFileFinder(directory)
  const events = createStoredEvents({ engine, storage })
  const sending = createSendOrder()
  const byName = () => allAgents(current.settings.config.agent)
  const agents = () => [...byName().values()]

  async function newestMessages(id: string, limit: number): Promise<MessageWithParts[]> {
    const newest: MessageWithParts[] = []
    for await (const message of engine.readMessages(id as SessionID, { limit })) newest.push(message)
    return newest
  }

  async function openSession(id: string): Promise<OpenedSession> {
    const session = await engine.getSession(id as SessionID)
    // Before the messages, so that no commit is missed.
    const { revision } = await storage.readContext(session.id)
    const newest = await newestMessages(id, MAX_OPENED + 1)
    const messages = newest.slice(0, MAX_OPENED).toReversed()
    const waiting = await engine.queue(session.id)
    const questions = await engine.questions(session.id)
    const opened: OpenedSession = {
      session,
      messages,
      hasMore: newest.length > MAX_OPENED,
      queue: waiting.map(({ info, parts }): QueuedPrompt => {
        const text = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n")
        return { id: info.id, text, mode: info.delivery?.mode ?? "queue" }
      }),
      questions: questions.map((question) => openQuestion(question)),
    }
    events.show(opened, revision)
    return opened
  }

  async function details({ type, request }: OpenQuestion): Promise<QuestionDetails> {
    const open = await engine.questions(request.sessionID)
    const question = open.find(({ id }) => id === request.id)
    if (!question) return {}
    if (type === "choice") return { input: question.input }
    const change = await proposedChange(question, request.metadata["filepath"], mask)
    const because = await askedBecause(request, { storage, agents: byName(), scopes: runtime.scopes })
    return { input: question.input, ...(change ? { change } : {}), ...(because === undefined ? {} : { because }) }
  }

  return {
    directory,
    usual: { agent: runtime.agent ?? agents().find((agent) => isFor(agent, "user"))?.name ?? "build", model, variant },
    mask,
    subscribe: (listener) => events.subscribe(listener),
    async newSession() {
      const session = engine.draftSession({ directory })
      events.show({ session, messages: [], questions: [] }, 0)
      return session
    },
    openSession,
    async sessions({ text, limit, hasSubagents }) {
      const found: Session[] = []
      const roots = hasSubagents ? {} : { parentID: null }
      const query = { directory, ...roots, archived: false, limit, ...(text ? { title: text } : {}) }
      for await (const session of engine.listSessions(query)) found.push(session)
      return found
    },
    children: (id) => engine.children(id as SessionID),
    messages: async (id, limit) => (await newestMessages(id, limit)).toReversed(),
    async search(words, { sessionID, limit }) {
      const place = sessionID === undefined ? { directory } : { sessionID: sessionID as SessionID }
      const titles = new Map<string, Pick<Session, "title" | "time"> | undefined>()
      const hits: TextHit[] = []
      for await (const hit of storage.search({ text: words, limit, ...place })) {
        if (!titles.has(hit.sessionID)) titles.set(hit.sessionID, await storage.getSession(hit.sessionID))
        const session = titles.get(hit.sessionID)
        // Masked before it is cut, because half of a secret is not recognized.
        const text = plainLine(excerpt(mask(hit.text), words, EXCERPT_LENGTH))
        const { title = "", time } = session ?? {}
        const { sessionID: id, messageID } = hit
        hits.push({ sessionID: id, messageID, title, updated: time?.updated ?? 0, excerpt: text })
      }
      return hits
    },
    spending: async (id) => readSpending({ engine, sessionID: id as SessionID }),
    async export(id, file) {
      const { exportSession } = await import("./export-session.ts")
      await exportSession({ storage, mask, id: id as SessionID, file })
    },
    prompt: (prompt) =>
      sending.next(runtimePrompt(runtime, prompt), async (request) => {
        if (request.type === "compact") return compact(prompt.sessionID, request.focus)
        // Only then, because the request is sent and other work delays nothing.
        const answered = engine.prompt(request.prompt)
        runtime.follow()
        await answered
      }),
    async shell({ sessionID, command, agent, model: chosen }) {
      const called = engine.callTool({
        ...{ sessionID: sessionID as SessionID, tool: "bash" },
        input: { command, description: "Command of the user" },
        ...(agent === undefined ? {} : { agent }),
        ...(chosen ? { model: chosen } : {}),
      })
      runtime.follow()
      await called
    },
    async shells(sessionID) {
      const listed = await runtime.shells.list(sessionID as SessionID)
      return listed.map((each) => {
        return { ...each, sessionID, command: mask(each.command), lastLine: mask(each.lastLine) }
      })
    },
    async shellOutput({ sessionID, id }) {
      const { text, omitted } = await runtime.shells.output(sessionID as SessionID, id)
      return { text: mask(text), omitted }
    },
    stopShell: ({ sessionID, id }) => runtime.shells.stop(sessionID as SessionID, id),
    async resume(sessionID) {
      await engine.resume(sessionID as SessionID)
    },
    abort: (sessionID) => engine.abort(sessionID as SessionID),
    answer: ({ request }, answer: Answer) =>
      engine.answer({ sessionID: request.sessionID, questionID: request.id as `prt_${string}`, answer }),
    details,
    withdraw: (sessionID, id) => engine.withdraw(sessionID as SessionID, id),
    agents: async () =>
      agents()
        .filter((agent) => isFor(agent, "user"))
        .map(agentChoice),
    subagents: async () =>
      agents()
        .filter((agent) => isFor(agent, "agent"))
        .map(agentChoice),
    async models() {
      const lists = await Promise.all(
        current.providers.map(async (provider) => {
          const infos = await provider.models().catch(() => [])
          return infos.map(({ id, name, limit, variants }) => ({
            ref: { providerID: provider.id, modelID: id },
            ...{ name, context: limit.context, variants: Object.keys(variants ?? {}) },
          }))
        }),
      )
      return lists.flat()
    },
    commands: async () =>
      current.commands.map(({ name, description }) => ({
        name,
        ...(description === undefined ? {} : { description }),
      })),
    findFiles,
    undo: (sessionID, { messageID, ...sides } = {}) =>
      engine.revert({
        sessionID: sessionID as SessionID,
        ...sides,
        ...(messageID ? { messageID: messageID as MessageID } : {}),
      }),
    redo: (sessionID) => engine.unrevert({ sessionID: sessionID as SessionID, last: true }),
    diff: (sessionID, messageID) =>
      engine.diff({
        sessionID: sessionID as SessionID,
        ...(messageID === undefined ? {} : { messageID: messageID as MessageID }),
      }),
    noteFiles: () => noteFiles(runtime.settings, { home, environment }),
    addNote,
    compact,
    context: (sessionID) => engine.context(sessionID as SessionID),
    fork: (sessionID, messageID) =>
      engine.forkSession({
        sessionID: sessionID as SessionID,
        ...(messageID ? { messageID: messageID as MessageID } : {}),
      }),
    async rename(sessionID, title) {
      await engine.updateSession(sessionID as SessionID, { title })
    },
    remove: (sessionID) => engine.removeSession(sessionID as SessionID),
    close() {
      events.close()
      return runtime.close()
    },
  }

  async function compact(sessionID: string, focus?: string): Promise<void> {
    const result = await engine.compact(sessionID as SessionID, { ...(focus ? { focus } : {}) })
    const problem = result.type === "compacted" ? compactionProblem(result) : undefined
    if (problem !== undefined) throw new Error(problem)
  }
}
