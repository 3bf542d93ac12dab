import {
  createIDSource,
  type Engine,
  type EngineEvent,
  type Part,
  type SessionID,
  type SessionStatus,
} from "@pawl/core"
import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"
import type { ToolPart } from "@pawl/core/record"
import type { CommitFollower } from "./commit-follower.ts"
import { createEventLog, type EventLog, type LoggedCommit } from "./event-log.ts"
import type { Replay } from "./replay.ts"
import { createProjectWatch } from "../files/project-watch.ts"
import type { ServerHost } from "../host.ts"
import { askedCallDetails } from "../shapes/asked-call.ts"
import { type OpenCodeEvent, openCodeEvents } from "../shapes/event.ts"

export type OpenCodeListener = (event: OpenCodeEvent) => void

/** The engine's events with OpenCode's names, and the server's own events. Follows the engine until `close`. */
export interface ServerEvents {
  /** Publishes an event that the engine does not have, such as a toast. `of`: its directory. Default: that of these events */
  publish(type: string, properties: Readonly<Record<string, unknown>>, of?: string): void
  /**
   * Calls the listener with all events from now on, in order, including changes of project files by other processes.
   * Returns a function that ends the subscription.
   */
  subscribe(listener: OpenCodeListener): () => void
  /**
   * Calls the listener only with events of `publish`, and with `files` also with changes of project files by other
   * processes.
   */
  subscribeOwn(listener: OpenCodeListener, options?: { readonly files?: boolean }): () => void
  /** Directory of these events in `log`. */
  readonly directory: string
  /** All events, for streams to clients. */
  readonly log: EventLog
  /** Reads from the storage what a client has missed. */
  readonly replay?: Replay | undefined
  /** Watches project files for `log` until the returned function is called. */
  watchFiles(): () => void
  /** Contains only sessions that are not idle. */
  readonly statuses: ReadonlyMap<SessionID, SessionStatus>
  /** Open questions by id. */
  readonly permissions: ReadonlyMap<string, PermissionRequest>
  readonly questions: ReadonlyMap<string, ChoiceRequest>
  close(): void
}

/** Services that the directories of a server share. */
export interface SharedEvents {
  /** Default: one that keeps no events */
  readonly log?: EventLog
  readonly commits?: Pick<CommitFollower, "reported">
  readonly replay?: Replay
}

/** `project` is watched for file changes while it has subscribers, if it has a log for problems. */
export function createServerEvents(
  engine: Pick<Engine, "subscribe">,
  project?: Pick<ServerHost, "directory"> & Partial<Pick<ServerHost, "log">>,
  { log = createEventLog({ maxBytes: 0 }), commits, replay }: SharedEvents = {},
): ServerEvents {
  const directory = project?.directory ?? ""
  const ids = createIDSource(Date.now)
  const listeners = new Set<OpenCodeListener>()
  const ownListeners = new Set<OpenCodeListener>()
  const statuses = new Map<SessionID, SessionStatus>()
  const permissions = new Map<string, PermissionRequest>()
  const questions = new Map<string, ChoiceRequest>()

  /** Calls that have not ended, by id: a question names its call. */
  const calls = new Map<string, ToolPart>()

  /** Returns the event with what a client shows of a call that a permission is asked for. */
  function detailed(event: EngineEvent): EngineEvent {
    if (event.type !== "permission.asked") return event
    const { metadata, tool } = event.properties
    const part = tool && calls.get(tool.callID)
    if (!part) return event
    const details = askedCallDetails(part, directory)
    return { ...event, properties: { ...event.properties, metadata: { ...details, ...metadata } } }
  }

  function followCall(part: Part): void {
    if (part.type !== "tool") return
    if (part.state.status === "pending" || part.state.status === "running") calls.set(part.callID, part)
    else calls.delete(part.callID)
  }

  function follow({ type, properties }: EngineEvent): void {
    if (type === "message.part.updated") followCall(properties.part)
    if (type === "session.status") {
      if (properties.status.type === "idle") statuses.delete(properties.sessionID)
      else statuses.set(properties.sessionID, properties.status)
    } else if (type === "permission.asked") permissions.set(properties.id, properties)
    else if (type === "permission.replied") permissions.delete(properties.requestID)
    else if (type === "question.asked") questions.set(properties.id, properties)
    else if (type === "question.replied" || type === "question.rejected") questions.delete(properties.requestID)
  }

  function publish(type: string, properties: Readonly<Record<string, unknown>>, of = directory): void {
    const event = { id: ids.other("evt"), type, properties }
    log.append(of, event)
    notifyListeners(listeners, event)
    notifyListeners(ownListeners, event)
  }

  const report = project?.log
  const watch =
    report &&
    createProjectWatch({
      directory,
      report: (file, event) => publish("file.watcher.updated", { file, event }),
      onProblem: (message) => report({ service: "server", level: "warn", message }),
    })
  const unsubscribe = engine.subscribe((published) => {
    const event = detailed(published)
    follow(event)
    if (event.type === "file.edited") watch?.markReported(event.properties.file)
    if (listeners.size === 0 && !log.isFollowed) return
    const commit = loggedCommit(event)
    for (const said of openCodeEvents(event)) {
      log.append(directory, said, commit)
      notifyListeners(listeners, said)
    }
    commits?.reported(event)
  })

  return {
    statuses,
    permissions,
    questions,
    ...{ directory, log, replay },
    watchFiles: () => watch?.follow() ?? (() => undefined),
    publish,
    subscribe: (listener) => subscription(listeners, listener, watch?.follow()),
    subscribeOwn: (listener, { files = false } = {}) =>
      subscription(ownListeners, listener, files ? watch?.follow() : undefined),
    close() {
      unsubscribe()
      watch?.close()
      listeners.clear()
      ownListeners.clear()
    },
  }
}

function loggedCommit({ commit, properties }: EngineEvent): LoggedCommit | undefined {
  if (!commit || !("sessionID" in properties) || !properties.sessionID) return undefined
  return { sessionID: properties.sessionID, revision: commit.revision }
}

function notifyListeners(listeners: ReadonlySet<OpenCodeListener>, event: OpenCodeEvent): void {
  for (const listener of [...listeners]) {
    try {
      listener(event)
    } catch (error) {
      // Other listeners must still be called.
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}

function subscription(
  listeners: Set<OpenCodeListener>,
  listener: OpenCodeListener,
  onEnd: (() => void) | undefined,
): () => void {
  // Subscribing the same function twice makes two subscriptions.
  const own: OpenCodeListener = (event) => listener(event)
  listeners.add(own)
  return () => {
    listeners.delete(own)
    onEnd?.()
  }
}
