import type { ProviderErrorKind, Refusal, StoredError } from "../base/errors.ts"
import type { MessageID, PartID, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { ChoiceRequest, PermissionReply, PermissionRequest } from "./ask.ts"
import type { CacheBust } from "./cache-bust.ts"
import type { CompactionApplied } from "./hook-map.ts"
import type { FileDiff, Message, ModelRef, Part, Session } from "../record/message.ts"
import type { Revision, StorageProblem } from "./storage.ts"

export type SessionStatus =
  | { readonly type: "idle" }
  | { readonly type: "busy" }
  /**
   * `attempt`: number of failed attempts; `attempts`: the maximum; `next`: start of the next one in epoch milliseconds.
   */
  | {
      readonly type: "retry"
      readonly attempt: number
      readonly attempts: number
      readonly kind?: ProviderErrorKind
      readonly message: string
      readonly next: number
    }

/**
 * Event types and properties as OpenCode's clients and plugins know them. Properties are values: do not change them.
 */
export interface EventMap {
  "session.created": { sessionID: SessionID; info: Session }
  "session.updated": { sessionID: SessionID; info: Session }
  "session.deleted": { sessionID: SessionID; info: Session }
  "session.status": { sessionID: SessionID; status: SessionStatus }
  "session.idle": { sessionID: SessionID }
  /**
   * The model has sent no content for `waited` milliseconds: sent after `deadlines.waiting`, and whenever the wait has
   * doubled. `isAlive`: its server has sent bytes meanwhile. `text`: the end of the answer so far.
   */
  "session.waiting": {
    sessionID: SessionID
    messageID: MessageID
    model: ModelRef
    waited: number
    isAlive: boolean
    text: string
  }
  /** The differences that undos have made in files, after each undo and redo. */
  "session.diff": { sessionID: SessionID; diff: readonly FileDiff[] }
  /** Sent while a summary is being written. The turn waits for the summary unless it is made in the background. */
  "session.compacting": { sessionID: SessionID; auto: boolean; background: boolean }
  "session.compacted": CompactionApplied
  /**
   * Sent when a request does not begin like the previous one, so that the provider's cache is useless from there on.
   */
  "cache.bust": CacheBust
  /** A message for the user that ends no work. */
  "session.notice": { sessionID?: SessionID; message: string }
  /** A turn ended with this error. If an answer has an error, it is the same one, which is stored with the answer. */
  "session.error": { sessionID?: SessionID; error: StoredError }
  "message.updated": { sessionID: SessionID; info: Message }
  "message.removed": { sessionID: SessionID; messageID: MessageID }
  /** Sent when a part starts, ends or changes state; streamed text is sent as deltas. */
  "message.part.updated": { sessionID: SessionID; part: Part; time: number }
  "message.part.delta": { sessionID: SessionID; messageID: MessageID; partID: PartID; field: "text"; delta: string }
  "message.part.removed": { sessionID: SessionID; messageID: MessageID; partID: PartID }
  /** With `refused`, no user can be asked: no question is stored, and "permission.replied" follows immediately. */
  "permission.asked": PermissionRequest & { readonly refused?: Refusal }
  /** An open question was closed with this reply, which is stored. */
  "permission.replied": { sessionID: SessionID; rootSessionID: SessionID; requestID: string; reply: PermissionReply }
  "question.asked": ChoiceRequest
  "question.replied": {
    sessionID: SessionID
    rootSessionID: SessionID
    requestID: string
    answers: readonly (readonly string[])[]
  }
  "question.rejected": { sessionID: SessionID; rootSessionID: SessionID; requestID: string }
  /** The current list of the agent. */
  "todo.updated": { sessionID: SessionID; todos: readonly JSONObject[] }
  /** A call has changed this file. Absolute path. */
  "file.edited": { sessionID: SessionID; file: string }
  /** Records of the session cannot be read and are left out of its context; the turn continues without them. */
  "storage.damaged": { sessionID: SessionID; problems: StorageProblem[] }
  "plugin.error": { plugin: string; hook: string; message: string; sessionID?: SessionID }
  /** The plugin failed three times in a row and is no longer called in this session, except for its working guards. */
  "plugin.disabled": { sessionID: SessionID; plugin: string; message: string }
}

export type EventType = keyof EventMap
export type EngineEvent = {
  [T in EventType]: {
    readonly id: string
    readonly type: T
    readonly properties: EventMap[T]
    /** The commit that the event reports. Missing for events that report none, such as deltas. */
    readonly commit?: ReportedCommit
  }
}[EventType]

/** A commit of the event's session. */
export interface ReportedCommit {
  readonly revision: Revision
  /** Set if the events before it report the rest of the commit. */
  readonly isWhole: boolean
}

export type EventListener = (event: EngineEvent) => void

/**
 * Publishes events. An event follows the commit that it reports, except that a streaming part and its deltas are
 * announced before.
 */
export interface EventBus {
  publish<T extends EventType>(type: T, properties: EventMap[T], commit?: ReportedCommit): void
  /**
   * Calls listeners in order of subscription. Listeners must not block. A listener that throws is reported, not
   * removed.
   */
  subscribe(listener: EventListener): () => void
}

export function createEventBus(newEventID: () => string, onListenerError: (error: unknown) => void): EventBus {
  const listeners = new Set<EventListener>()
  return {
    publish(type, properties, commit) {
      if (listeners.size === 0) return
      const event = { id: newEventID(), type, properties, ...(commit ? { commit } : {}) } as EngineEvent
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          onListenerError(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
