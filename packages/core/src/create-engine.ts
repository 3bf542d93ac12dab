import { compose, type EngineOptions } from "./compose.ts"
import type { SessionID } from "./base/ids.ts"
import { answerQuestion } from "./questions/answer.ts"
import { openQuestions } from "./questions/questions.ts"
import { askCompaction, requireMessages } from "./sessions/ask-compaction.ts"
import { contextReport } from "./sessions/context-report.ts"
import { queuedPrompts, withdraw } from "./inbox/deliver.ts"
import { createPins } from "./sessions/pins.ts"
import { agentAndModel, prompt } from "./sessions/prompting.ts"
import { createRuns } from "./run/runs.ts"
import { createSessionEvents } from "./sessions/session-events.ts"
import { createSessions } from "./sessions/sessions.ts"
import { createTitles } from "./sessions/titles.ts"
import { createDelegate } from "./subagent/create-delegate.ts"
import { createSessionSpending } from "./usage/session-spending.ts"
import { createEngineSession, sessionIDOf } from "./create-engine-session.ts"
import type { Engine } from "./engine.ts"

/** Rejects with RangeError for an invalid deadline or retry policy. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { deps, connected, update } = compose(options, { engine: () => engine, isRunning: (id) => runs.has(id) })
  const { store, projects } = deps
  const { storage, bus } = store
  const closing = new AbortController()
  const titles = createTitles(deps)
  const runs = createRuns(deps, (children, run) => createDelegate(deps, children, run))
  const sessions = createSessions({ ...store, knownProjectID: (directory) => projects.known(directory) })
  const getSession = (id: SessionID) => sessions.get(id)
  const spending = createSessionSpending({ storage })
  const pins = createPins({ ...store, getSession })
  const events = createSessionEvents({ subscribe: (listener) => engine.subscribe(listener), getSession })
  const undo = async () => {
    const { createUndo } = await import("./undo/undo-session.ts")
    return createUndo({ ...store, history: options.fileHistory, getSession })
  }
  const workers = { runs, titles, getSession, closing: closing.signal }

  const engine: Engine = {
    createSession: (input) => sessions.create(input),
    draftSession: (input) => sessions.draft(input),
    session: (session) => createEngineSession(engine, sessionIDOf(engine, session), events.open),
    getSession,
    listSessions: (query) => sessions.list(query),
    updateSession: (id, changes) => sessions.update(id, changes),
    children: (id) => sessions.children(id),
    // Most runs neither fork nor remove a session, so both load on demand to keep the start short.
    async forkSession({ sessionID, ...point }) {
      const { forkSession } = await import("./sessions/fork.ts")
      return forkSession({ ...store, settings: deps.settings }, await getSession(sessionID), point)
    },
    async removeSession(id, how) {
      const { removeSession } = await import("./sessions/remove.ts")
      const session = await getSession(id)
      if (!store.drafts.delete(id)) await removeSession({ ...store, runs }, session, how)
    },
    prompt: (request) => prompt(deps, workers, request),
    async callTool(request) {
      const { callTool } = await import("./sessions/call-tool.ts")
      return callTool(deps, workers, request)
    },
    async compact(sessionID, { focus, model: chosen } = {}) {
      const session = await getSession(sessionID)
      await requireMessages(storage, sessionID)
      const { agent, model } = agentAndModel(deps, session, { model: chosen })
      await deps.models.findModel(model)
      const prepare = () => askCompaction(store, session, { agent: agent.name, model, focus })
      return runs.start(sessionID, { prepare, only: "compaction" })
    },
    async revert(input) {
      return (await undo()).revert(input)
    },
    async unrevert(input) {
      return (await undo()).unrevert(input)
    },
    async diff(input) {
      const { sessionDiff } = await import("./undo/session-diff.ts")
      return sessionDiff({ storage, history: options.fileHistory }, await getSession(input.sessionID), input)
    },
    pin: (sessionID, text) => pins.add(sessionID, text),
    unpin: (sessionID, pinID) => pins.remove(sessionID, pinID),
    async context(sessionID, { model } = {}) {
      return contextReport(deps, sessionID, agentAndModel(deps, await getSession(sessionID), { model }))
    },
    async resume(sessionID) {
      await getSession(sessionID)
      return runs.start(sessionID)
    },
    async queue(sessionID) {
      await getSession(sessionID)
      return queuedPrompts(store, sessionID)
    },
    async withdraw(sessionID, id) {
      await getSession(sessionID)
      return withdraw(store, sessionID, id)
    },
    async questions(sessionID) {
      await getSession(sessionID)
      return openQuestions(storage, sessionID)
    },
    async answer(input) {
      await getSession(input.sessionID)
      return answerQuestion({ ...store, openQuestions: deps.calls.openQuestions }, input)
    },
    async *readMessages(sessionID, page) {
      await getSession(sessionID)
      yield* storage.readMessages(sessionID, page)
    },
    spent: (sessionIDs) => spending.of(sessionIDs),
    plugins: connected.control,
    update,
    abort: (sessionID) => runs.abort(sessionID),
    untilIdle: (sessionID) => runs.untilIdle(sessionID),
    subscribe(listener) {
      const unsubscribe = bus.subscribe(listener)
      connected.listened()
      return unsubscribe
    },
    async close() {
      closing.abort()
      try {
        await Promise.all([runs.close(), projects.close(), titles.close()])
        await connected.plugins.close()
      } finally {
        events.close()
      }
    },
    [Symbol.asyncDispose]: () => engine.close(),
  }
  // Plugins receive the complete engine, so they start last.
  await connected.start(options.plugins ?? [])
  return engine
}
