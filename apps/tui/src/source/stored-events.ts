import { createIDSource, type Engine, type EngineEvent } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import { changeEvent, type Revision, type Storage } from "@pawl/core/storage"
import { openQuestion } from "./open-question.ts"
import { createReportedParts } from "./reported-parts.ts"
import type { OpenedSession } from "./source.ts"

export interface StoredEventsOptions {
  readonly engine: Pick<Engine, "subscribe" | "questions">
  readonly storage: Pick<Storage, "watch" | "readChanges" | "getSession" | "leaseHolder">
  /** Milliseconds that the engine has to report its own commit. Default: 150 */
  readonly graceMs?: number
  /** Milliseconds after which a session at work in another process is looked at again. Default: 1000 */
  readonly busyMs?: number
}

/** The events of an engine, and those of other processes that work on the shown session or below it. */
export interface StoredEvents {
  subscribe(listener: (event: EngineEvent) => void): () => void
  /** Follows another session from this revision on. */
  show(opened: Pick<OpenedSession, "session" | "messages" | "questions">, revision: Revision): void
  close(): void
}

export function createStoredEvents({
  engine,
  storage,
  graceMs = 150,
  busyMs = 1000,
}: StoredEventsOptions): StoredEvents {
  const listeners = new Set<(event: EngineEvent) => void>()
  const reported = createReportedParts()
  const ids = createIDSource(Date.now)
  const closing = new AbortController()
  /** The shown session and those below it, with the last revision that was read. */
  const followed = new Map<SessionID, Revision>()
  const unrelated = new Set<SessionID>()
  /** Revisions that the engine itself has reported. */
  const own = new Map<SessionID, Set<Revision>>()
  const reads = new Map<SessionID, NodeJS.Timeout>()
  const questions = new Map<string, "permission" | "choice">()
  let shown: SessionID | undefined
  let isBusyHere = false
  /** Set while another process works on the shown session. */
  let looking: NodeJS.Timeout | undefined

  const unsubscribe = engine.subscribe((event) => {
    const { commit, properties } = event
    const { sessionID } = "sessionID" in properties ? properties : {}
    if (commit && sessionID !== undefined) {
      const revisions = own.get(sessionID) ?? new Set()
      own.set(sessionID, revisions.add(commit.revision))
    }
    if (sessionID === shown && event.type === "session.status") isBusyHere = event.properties.status.type !== "idle"
    if (sessionID === shown && event.type === "session.idle") isBusyHere = false
    if (event.type === "permission.asked") questions.set(event.properties.id, "permission")
    else if (event.type === "question.asked") questions.set(event.properties.id, "choice")
    else if ("requestID" in properties) questions.delete(properties.requestID)
    reported.next(event)
    publish(event)
  })

  function publish(event: EngineEvent): void {
    for (const listener of [...listeners]) listener(event)
  }
  function report(type: EngineEvent["type"], properties: object): void {
    publish({ id: ids.other("evt"), type, properties } as EngineEvent)
  }

  /** Returns true for the shown session and those below it. */
  async function isFollowed(sessionID: SessionID): Promise<boolean> {
    if (followed.has(sessionID)) return true
    if (unrelated.has(sessionID)) return false
    const parentID = (await storage.getSession(sessionID))?.parentID
    if (parentID === undefined || !followed.has(parentID)) unrelated.add(sessionID)
    else followed.set(sessionID, 0)
    return followed.has(sessionID)
  }

  function readSoon(sessionID: SessionID): void {
    if (reads.has(sessionID)) return
    const read = async () => {
      reads.delete(sessionID)
      if (await isFollowed(sessionID)) await readChanges(sessionID)
    }
    // A storage that can no longer be read reports that to its engine as well.
    reads.set(
      sessionID,
      setTimeout(() => void read().catch(() => undefined), graceMs),
    )
  }

  async function readChanges(sessionID: SessionID): Promise<void> {
    const after = followed.get(sessionID) ?? 0
    const changes = await storage.readChanges(sessionID, after)
    const newest = changes.at(-1)?.revision
    if (newest === undefined || followed.get(sessionID) !== after) return
    followed.set(sessionID, newest)
    const foreign = changes.filter(({ revision }) => !own.get(sessionID)?.has(revision))
    for (const revision of own.get(sessionID) ?? []) if (revision <= newest) own.get(sessionID)?.delete(revision)
    for (const change of foreign) {
      const event = reported.next(changeEvent(ids.other("evt"), sessionID, change))
      if (event) publish(event)
    }
    const isAsking = foreign.some((change) => change.type === "part.put" && isQuestion(change.part.type))
    if (isAsking) await readQuestions()
    if (foreign.length > 0 && sessionID === shown) await look()
  }

  async function readQuestions(): Promise<void> {
    if (shown === undefined) return
    const open = (await engine.questions(shown)).map((question) => openQuestion(question))
    for (const [id, type] of questions) {
      if (open.some(({ request }) => request.id === id)) continue
      questions.delete(id)
      const closed = { sessionID: shown, rootSessionID: shown, requestID: id }
      if (type === "choice") report("question.rejected", closed)
      else report("permission.replied", { ...closed, reply: "reject" })
    }
    for (const { type, request } of open) {
      if (questions.has(request.id)) continue
      questions.set(request.id, type)
      report(type === "permission" ? "permission.asked" : "question.asked", request)
    }
  }

  /** Reports whether another process works on the shown session, until none does. */
  async function look(): Promise<void> {
    const sessionID = shown
    if (sessionID === undefined || isBusyHere || closing.signal.aborted) return
    const isBusy = (await storage.leaseHolder?.(sessionID)) !== undefined
    if (sessionID !== shown || isBusyHere) return
    if (isBusy && !looking) report("session.status", { sessionID, status: { type: "busy" } })
    if (!isBusy && looking) report("session.idle", { sessionID })
    clearTimeout(looking)
    looking = isBusy ? setTimeout(() => void look().catch(() => undefined), busyMs) : undefined
  }

  async function watch(): Promise<void> {
    for await (const { sessionID, revision } of storage.watch({}, closing.signal)) {
      if (revision > 0 && shown !== undefined && !unrelated.has(sessionID)) readSoon(sessionID)
    }
  }
  watch().catch(() => undefined)

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show({ session, messages, questions: open }, revision) {
      shown = session.id
      isBusyHere = false
      clearTimeout(looking)
      looking = undefined
      for (const each of [followed, unrelated, questions]) each.clear()
      followed.set(session.id, revision)
      for (const { type, request } of open) questions.set(request.id, type)
      reported.show(session.id, messages)
      look().catch(() => undefined)
    },
    close() {
      closing.abort()
      unsubscribe()
      listeners.clear()
      clearTimeout(looking)
      for (const timer of reads.values()) clearTimeout(timer)
    },
  }
}

function isQuestion(type: string): boolean {
  return type === "question" || type === "answer"
}
