import type { Storage } from "../contracts/storage.ts"
import type { FileChange, MessageWithParts, Session, UncoveredFile } from "../record/message.ts"
import { type CallChanges, changesOf, isFrom, type SessionPoint } from "./changes-of.ts"

/** A part of a session. */
export interface Period {
  /** Beginning of the part. Default: the beginning of the session */
  readonly from?: SessionPoint | undefined
  /** End of the part, not included. Default: the end of the session */
  readonly until?: SessionPoint | undefined
  /** Only the changes of this call. For a call of a subagent: all changes of its session. */
  readonly callID?: string | undefined
}

export interface SessionChanges {
  /** In the order in which the calls ended. */
  readonly changes: readonly FileChange[]
  readonly uncovered: readonly UncoveredFile[]
}

type Reading = Pick<Storage, "readMessages" | "listSessions">

/** Returns the changes of files in a part of a session, with those of the subagents that worked for it. */
export async function sessionChanges(storage: Reading, session: Session, period: Period): Promise<SessionChanges> {
  const calls: CallChanges[] = []
  let since = Infinity
  let before = Infinity
  for await (const message of storage.readMessages(session.id)) {
    const { id, time } = message.info
    if (period.from && id < period.from.messageID) break
    if (period.until && id >= period.until.messageID) before = Math.min(before, startOf(message, period.until))
    else since = Math.min(since, startOf(message, period.from))
    calls.push(
      ...ofCall(
        changesOf(message, (partID) => isIn(period, id, partID)),
        period.callID,
      ),
    )
    if (!period.from) since = Math.min(since, time.created)
  }
  calls.push(...(await changesBelow(storage, session, { since, before, callID: period.callID })))
  const ordered = calls.toReversed().toSorted((a, b) => a.time - b.time)
  return {
    changes: ordered.flatMap(({ changes }) => changes),
    uncovered: ordered.flatMap(({ uncovered }) => uncovered),
  }
}

function isIn({ from, until }: Period, messageID: string, partID: string): boolean {
  return (!from || isFrom(from, messageID, partID)) && !(until && isFrom(until, messageID, partID))
}

/** Returns when the part of a message that lies behind the point began, in epoch milliseconds. */
function startOf({ info, parts }: MessageWithParts, point: SessionPoint | undefined): number {
  if (point?.partID === undefined || point.messageID !== info.id) return info.time.created
  const times = parts.flatMap((part) => {
    if (part.id < (point.partID ?? "") || part.type !== "tool" || !("time" in part.state)) return []
    return [part.state.time.start]
  })
  return Math.min(...times, "completed" in info.time ? (info.time.completed ?? Infinity) : Infinity)
}

function ofCall(calls: readonly CallChanges[], wanted: string | undefined): readonly CallChanges[] {
  return wanted === undefined ? calls : calls.filter(({ callID }) => callID === wanted)
}

interface PeriodBelow {
  /** Epoch milliseconds. */
  readonly since: number
  readonly before: number
  readonly callID: string | undefined
}

/** Returns the changes of all sessions below, in messages that were begun in that time. */
async function changesBelow(
  storage: Reading,
  { id }: Pick<Session, "id">,
  { since, before, callID }: PeriodBelow,
): Promise<CallChanges[]> {
  const calls: CallChanges[] = []
  for await (const child of storage.listSessions({ parentID: id })) {
    // Everything in a session that the wanted call began belongs to the call.
    const wanted = child.delegation?.callID === callID ? undefined : callID
    for await (const message of storage.readMessages(child.id)) {
      const { created } = message.info.time
      if (created < since) break
      if (created < before)
        calls.push(
          ...ofCall(
            changesOf(message, () => true),
            wanted,
          ),
        )
    }
    calls.push(...(await changesBelow(storage, child, { since, before, callID: wanted })))
  }
  return calls
}
