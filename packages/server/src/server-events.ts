import { createIDSource, type Engine, type EngineEvent, type SessionID, type SessionStatus } from "@pawl/core"
import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"
import { createProjectWatch } from "./files/project-watch.ts"
import type { ServerHost } from "./host.ts"
import { type OpenCodeEvent, openCodeEvents } from "./shapes/event.ts"

export type OpenCodeListener = (event: OpenCodeEvent) => void

/** The engine's events under OpenCode's names, with those that only the server has. It follows the engine until `close`. */
export interface ServerEvents {
  /** Says what the engine does not: toasts and the like. */
  publish(type: string, properties: Readonly<Record<string, unknown>>): void
  /** All events in their order, from now on, changes of the project's files by others included. Returns the function that ends the subscription. */
  subscribe(listener: OpenCodeListener): () => void
  /** Only what was given to `publish`; with `files` also changes of the project's files by others than tools. */
  subscribeOwn(listener: OpenCodeListener, options?: { readonly files?: boolean }): () => void
  /** Of sessions that are not idle. */
  readonly statuses: ReadonlyMap<SessionID, SessionStatus>
  /** What has been asked and not been answered, by id. */
  readonly permissions: ReadonlyMap<string, PermissionRequest>
  readonly questions: ReadonlyMap<string, ChoiceRequest>
  close(): void
}

/** `place`: whose files are watched while somebody subscribes; absent: none are. */
export function createServerEvents(
  engine: Pick<Engine, "subscribe">,
  place?: Pick<ServerHost, "directory" | "log">,
): ServerEvents {
  const ids = createIDSource(Date.now)
  const listeners = new Set<OpenCodeListener>()
  const ownListeners = new Set<OpenCodeListener>()
  const statuses = new Map<SessionID, SessionStatus>()
  const permissions = new Map<string, PermissionRequest>()
  const questions = new Map<string, ChoiceRequest>()

  function follow({ type, properties }: EngineEvent): void {
    if (type === "session.status") {
      if (properties.status.type === "idle") statuses.delete(properties.sessionID)
      else statuses.set(properties.sessionID, properties.status)
    } else if (type === "permission.asked") permissions.set(properties.id, properties)
    else if (type === "permission.replied") permissions.delete(properties.requestID)
    else if (type === "question.asked") questions.set(properties.id, properties)
    else if (type === "question.replied" || type === "question.rejected") questions.delete(properties.requestID)
  }

  function publish(type: string, properties: Readonly<Record<string, unknown>>): void {
    const event = { id: ids.other("evt"), type, properties }
    tell(listeners, event)
    tell(ownListeners, event)
  }

  const watch =
    place &&
    createProjectWatch({
      directory: place.directory,
      report: (file, event) => publish("file.watcher.updated", { file, event }),
      onProblem: (message) => place.log({ service: "server", level: "warn", message }),
    })
  const unsubscribe = engine.subscribe((event) => {
    follow(event)
    if (event.type === "file.edited") watch?.told(event.properties.file)
    if (listeners.size === 0) return
    for (const said of openCodeEvents(event)) tell(listeners, said)
  })

  return {
    statuses,
    permissions,
    questions,
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

function tell(listeners: ReadonlySet<OpenCodeListener>, event: OpenCodeEvent): void {
  for (const listener of [...listeners]) {
    try {
      listener(event)
    } catch (error) {
      // The others are told all the same, and so are those who follow the engine.
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}

function subscription(
  listeners: Set<OpenCodeListener>,
  listener: OpenCodeListener,
  onEnd: (() => void) | undefined,
): () => void {
  // The same function twice is two subscriptions.
  const own: OpenCodeListener = (event) => listener(event)
  listeners.add(own)
  return () => {
    listeners.delete(own)
    onEnd?.()
  }
}
