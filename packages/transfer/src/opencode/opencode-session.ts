import type { MessageID, MessageWithParts, Session } from "@pawl/core/storage"
import { derivedIDs } from "../derived-ids.ts"
import type { Dropped } from "../dropped.ts"
import { messageWithPaths, sessionWithPaths } from "../mapped-paths.ts"
import type { PathMapping } from "../path-mapping.ts"
import { renamed } from "../renamed.ts"
import { type Continuation, restrict } from "../restriction.ts"
import type { SessionSource } from "../session-source.ts"
import { type Answer, mappedMessage, namesParent } from "./mapped-message.ts"
import { record } from "./foreign.ts"
import type { MessagePosition, OpenCodeReader, Report } from "./reader.ts"

export interface OpenCodeSessionOptions {
  /** OpenCode's id of the session. */
  readonly from: string
  readonly paths: readonly PathMapping[]
  /** pawl's session ids by OpenCode's ids. */
  readonly sessionIDs: ReadonlyMap<string, string>
  readonly report: Report
  readonly continuation: Continuation
}

export interface OpenCodeSource extends SessionSource {
  /** Returns what was dropped when the messages were read last. */
  dropped(): readonly Dropped[]
}

/** Opens a session of OpenCode as a source. Each call of `messages` reads it again, one message at a time. */
export async function openCodeSession(
  reader: OpenCodeReader,
  session: Session,
  { from, paths, sessionIDs, report, continuation }: OpenCodeSessionOptions,
): Promise<OpenCodeSource> {
  const places = (await reader.messageDirectories(from)).toSorted(byTime)
  const messageIDs = idsInOrder(session, from, places)
  const idOf = ({ id }: MessagePosition) => (messageIDs.get(id) ?? id) as MessageID

  const moved = sessionWithPaths(renamed(session, messageIDs), paths)
  let restriction = restrict(moved, continuation)

  async function* messages(): AsyncGenerator<MessageWithParts> {
    restriction = restrict(moved, continuation)
    let answer: Answer | undefined
    for (let at = places.length - 1; at >= 0; at--) {
      const place = places[at]
      const raw = place && (await reader.message(from, place.id))
      if (!place || !raw) continue
      const question = namesParent(raw.info) ? undefined : await questionBefore(at)
      const mapped = mappedMessage(raw, { id: idOf(place), session, answer, question }, report)
      if (!mapped) continue
      if (mapped.info.role === "assistant") answer = mapped.info
      const message = restriction.message(messageWithPaths(renamed(mapped, messageIDs, sessionIDs), paths))
      if (message) yield message
    }
  }

  async function questionBefore(at: number): Promise<MessageID | undefined> {
    for (let before = at - 1; before >= 0; before--) {
      const place = places[before]
      const raw = place && (await reader.message(from, place.id))
      if (raw && record(raw.info)["role"] === "user") return idOf(place)
    }
    return undefined
  }

  return {
    session: restriction.session,
    dropped: () => restriction.dropped,
    messages,
    readBlob: async () => undefined,
  }
}

/**
 * Returns new ids for messages whose ids do not sort by time. OpenCode's ids have 48 bits of time and wrap every 795
 * days; pawl sorts messages by id. Returns an empty map if the ids can stay.
 */
function idsInOrder(session: Session, from: string, places: readonly MessagePosition[]): ReadonlyMap<string, string> {
  const isInOrder = places.every(({ id }, at) => id.startsWith("msg_") && id > (places[at - 1]?.id ?? ""))
  if (isInOrder) return new Map()
  const next = derivedIDs(session, from)
  return new Map(places.map(({ id }) => [id, next.message()]))
}

function byTime(a: MessagePosition, b: MessagePosition): number {
  return a.time - b.time || (a.id < b.id ? -1 : 1)
}
