import { type Client, type Event, ServerError } from "@pawl/client"
import { createIDSource, type EngineEvent } from "@pawl/core"
import { wholeSeconds } from "@pawl/terminal-text/quantity"
import { isUnfinished } from "../state/unfinished.ts"
import { createReportedParts, type ReportedParts } from "./reported-parts.ts"
import type { OpenedSession } from "./source.ts"
import { toEngineEvent } from "./server-source-shapes.ts"

export interface ServerEventsOptions {
  readonly client: Client
  readonly now: () => number
  /** Reads the shown session, to report what was missed. */
  readonly read: (sessionID: string) => Promise<OpenedSession>
}

/** The events of a server as those of an engine. */
export interface ServerEvents {
  /** Resolves when no event will be missed. Rejects if the server refuses the stream. */
  readonly connected: Promise<void>
  readonly reported: ReportedParts
  subscribe(listener: (event: EngineEvent) => void): () => void
  /** Returns since when the server is away, in epoch milliseconds. Undefined if it is there. */
  awaySince(): number | undefined
  /** Reports the state of a session: busy or idle, and its open questions. */
  reportState(sessionID: string, opened: OpenedSession): Promise<void>
  /** Number of prompts of the shown session that the server has stored since the start. */
  prompts(): number
  close(): void
}

/** Follows a server until `close`, also over its restarts. */
export function createServerEvents({ client, now, read }: ServerEventsOptions): ServerEvents {
  const listeners = new Set<(event: EngineEvent) => void>()
  const reported = createReportedParts()
  const ids = createIDSource(now)
  const parents = new Map<string, string | undefined>()
  const closing = new AbortController()
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>()
  /** Open questions of the shown session, by id. */
  const questions = new Map<string, "permission" | "choice">()
  const prompts = new Set<string>()
  let away: number | undefined
  /** Set after a connection, until the state of the shown session is read. */
  let isUnsure = false
  /** Number of states of the shown session that were reported. */
  let states = 0
  let isBusy = false

  function emit(event: EngineEvent): void {
    const next = reported.next(event)
    if (!next) return
    follow(next)
    for (const listener of [...listeners]) listener(next)
  }

  function report(type: EngineEvent["type"], properties: object): void {
    emit({ id: ids.other("evt"), type, properties } as EngineEvent)
  }

  function follow({ type, properties }: EngineEvent): void {
    if (type === "permission.asked") questions.set(properties.id, "permission")
    else if (type === "question.asked") questions.set(properties.id, "choice")
    else if ("requestID" in properties) questions.delete(properties.requestID)
    if (type === "session.created" || type === "session.updated") {
      parents.set(properties.info.id, properties.info.parentID)
    }
    if (!("sessionID" in properties) || properties.sessionID !== reported.sessionID()) return
    if (type === "session.status" || type === "session.idle") {
      states++
      isBusy = type === "session.status" && properties.status.type !== "idle"
    }
    if (type === "message.updated" && properties.info.role === "user") prompts.add(properties.info.id)
  }

  function notice(message: string): void {
    const sessionID = reported.sessionID()
    report("session.notice", { ...(sessionID === undefined ? {} : { sessionID }), message })
  }

  async function rootOf(sessionID: string): Promise<string> {
    let root = sessionID
    for (const seen = new Set<string>(); !seen.has(root);) {
      seen.add(root)
      if (!parents.has(root)) {
        const session = await client.call("session.get", { path: { sessionID: root } }).catch(() => undefined)
        parents.set(root, session?.parentID)
      }
      const parent = parents.get(root)
      if (parent === undefined) return root
      root = parent
    }
    return root
  }

  async function receive(event: Event): Promise<void> {
    const isQuestion = event.type.startsWith("permission.") || event.type.startsWith("question.")
    const { sessionID } = event.properties as { readonly sessionID?: string }
    const root = isQuestion && sessionID !== undefined ? await rootOf(sessionID) : ""
    const converted = toEngineEvent(event, root)
    if (converted) emit(converted)
  }

  /** Reports the messages of the shown session that changed, from the server's storage. */
  async function readAgain(): Promise<void> {
    const sessionID = reported.sessionID()
    if (sessionID === undefined) return
    const opened = await read(sessionID)
    report("session.updated", { sessionID, info: opened.session })
    for (const { info, parts } of opened.messages) {
      report("message.updated", { sessionID, info })
      for (const part of parts) report("message.part.updated", { sessionID, part, time: now() })
    }
    await reportState(sessionID, opened)
  }

  async function reportState(sessionID: string, opened: OpenedSession): Promise<void> {
    const before = states
    const { directory } = opened.session
    const statuses = await client.call("session.status", {}, { directory })
    if (sessionID !== reported.sessionID()) return
    const status = statuses[sessionID]
    // An event that came meanwhile is newer.
    if (states === before) {
      if (status && status.type !== "idle") report("session.status", { sessionID, status })
      else report("session.idle", { sessionID })
    }
    const open = new Set(opened.questions.map(({ request }) => request.id))
    for (const [id, type] of questions) {
      if (open.has(id)) continue
      const closed = { sessionID, rootSessionID: sessionID, requestID: id }
      if (type === "choice") report("question.rejected", closed)
      else report("permission.replied", { ...closed, reply: "reject" })
    }
    for (const { type, request } of opened.questions) {
      report(type === "permission" ? "permission.asked" : "question.asked", request)
    }
  }

  /** The server was away: a run that it worked on may have ended with it. */
  async function readState(): Promise<void> {
    const sessionID = reported.sessionID()
    if (sessionID === undefined) return
    const opened = await read(sessionID)
    const before = states
    await reportState(sessionID, opened)
    // A session that works has reported a state of its own.
    const isIdle = states === before + 1 && !isBusy
    if (isIdle && isUnfinished(opened.messages)) notice("The turn was cut: /continue resumes it.")
  }

  function readLater(work: () => Promise<void>): void {
    // A server that is away again is read when it is back.
    work().catch((error: unknown) => {
      if (error instanceof ServerError) notice(`The session could not be read again: ${error.message}`)
    })
  }

  async function stream(): Promise<void> {
    const events = client.events({
      signal: closing.signal,
      onConnected() {
        resolve()
        if (away === undefined) return
        notice(`The server is back after ${wholeSeconds(Math.max(1, Math.round((now() - away) / 1000)))}.`)
        away = undefined
        isUnsure = true
      },
      onReconnect() {
        if (away !== undefined) return
        away = now()
        notice(`The server is away since ${clock(away)}. Connecting again …`)
      },
      onHeartbeat() {
        if (!isUnsure) return
        isUnsure = false
        readLater(readState)
      },
    })
    for await (const { event } of events) {
      if (event.type !== "server.resync") await receive(event)
      else {
        isUnsure = false
        readLater(readAgain)
      }
    }
  }

  stream().catch((error: unknown) => {
    reject(error)
    notice(`The server ended the events: ${error instanceof Error ? error.message : String(error)}`)
  })

  return {
    connected,
    reported,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    awaySince: () => away,
    reportState,
    prompts: () => prompts.size,
    close: () => closing.abort(),
  }
}

/** Returns the time of day, such as 14:05:09. */
export function clock(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((each) => String(each).padStart(2, "0")).join(":")
}
