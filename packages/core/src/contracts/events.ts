import type { ProviderErrorKind, Refusal, StoredError } from "../base/errors.ts"
import type { MessageID, PartID, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { ChoiceRequest, PermissionReply, PermissionRequest } from "./ask.ts"
import type { CacheBust } from "./cache-bust.ts"
import type { CompactionApplied } from "./hook-map.ts"
import type { Message, ModelRef, Part, Session } from "../record/message.ts"
import type { StorageProblem } from "./storage.ts"

export type SessionStatus =
  | { readonly type: "idle" }
  | { readonly type: "busy" }
  /**
   * `attempt`: how many have failed, of `attempts` that there may be; `next`: when the next one starts, in epoch
   * milliseconds.
   */
  | {
      readonly type: "retry"
      readonly attempt: number
      readonly attempts: number
      readonly kind?: ProviderErrorKind
      readonly message: string
      readonly next: number
    }

/** Type and properties as OpenCode's clients and plugins know them. Properties are values: do not change them. */
export interface EventMap {
  "session.created": { sessionID: SessionID; info: Session }
  "session.updated": { sessionID: SessionID; info: Session }
  "session.deleted": { sessionID: SessionID; info: Session }
  "session.status": { sessionID: SessionID; status: SessionStatus }
  "session.idle": { sessionID: SessionID }
  /**
   * The model has said nothing for `waited` milliseconds: sent after `deadlines.waiting`, and each time that the wait has
   * doubled. `isAlive`: its server has sent something meanwhile. `text`: the end of what the answer has said so far.
   */
  "session.waiting": {
    sessionID: SessionID
    messageID: MessageID
    model: ModelRef
    waited: number
    isAlive: boolean
    text: string
  }
  /** A summary is being written; the turn waits for it unless it is made in the background. */
  "session.compacting": { sessionID: SessionID; auto: boolean; background: boolean }
  "session.compacted": CompactionApplied
  /** The request does not begin like the one before it, so that the provider's cache is of no use from there on. */
  "cache.bust": CacheBust
  /** Something that people should know and that ends nothing. */
  "session.notice": { sessionID?: SessionID; message: string }
  /** A turn ended with this; of an answer with an error it is that one, which is stored with it. */
  "session.error": { sessionID?: SessionID; error: StoredError }
  "message.updated": { sessionID: SessionID; info: Message }
  "message.removed": { sessionID: SessionID; messageID: MessageID }
  /** Sent when a part starts, ends or changes state; what streams in between comes as deltas. */
  "message.part.updated": { sessionID: SessionID; part: Part; time: number }
  "message.part.delta": { sessionID: SessionID; messageID: MessageID; partID: PartID; field: "text"; delta: string }
  "message.part.removed": { sessionID: SessionID; messageID: MessageID; partID: PartID }
  /** With `refused` nobody can be asked: nothing is stored, and "permission.replied" follows at once. */
  "permission.asked": PermissionRequest & { readonly refused?: Refusal }
  /** An open question was closed with this, which is stored. */
  "permission.replied": { sessionID: SessionID; rootSessionID: SessionID; requestID: string; reply: PermissionReply }
  "question.asked": ChoiceRequest
  "question.replied": {
    sessionID: SessionID
    rootSessionID: SessionID
    requestID: string
    answers: readonly (readonly string[])[]
  }
  "question.rejected": { sessionID: SessionID; rootSessionID: SessionID; requestID: string }
  /** The list as the agent has it now. */
  "todo.updated": { sessionID: SessionID; todos: readonly JSONObject[] }
  /** A call has changed this file; absolute. */
  "file.edited": { sessionID: SessionID; file: string }
  /** Records of the session cannot be read and are left out of its context; the turn goes on without them. */
  "storage.damaged": { sessionID: SessionID; problems: StorageProblem[] }
  "plugin.error": { plugin: string; hook: string; message: string; sessionID?: SessionID }
  /** Failed three times in a row: no longer called in this session, except for guards that work. */
  "plugin.disabled": { sessionID: SessionID; plugin: string; message: string }
}

export type EventType = keyof EventMap
export type EngineEvent = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly properties: EventMap[T] }
}[EventType]
export type EventListener = (event: EngineEvent) => void

/** Events follow the commit that they speak of, except that a part which streams is announced, and its deltas sent, before. */
export interface EventBus {
  publish<T extends EventType>(type: T, properties: EventMap[T]): void
  /** Listeners are called in order of subscription and must not block; a throwing one is reported, not removed. */
  subscribe(listener: EventListener): () => void
}

export function createEventBus(newEventID: () => string, onListenerError: (error: unknown) => void): EventBus {
  const listeners = new Set<EventListener>()
  return {
    publish(type, properties) {
      if (listeners.size === 0) return
      const event = { id: newEventID(), type, properties } as EngineEvent
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
