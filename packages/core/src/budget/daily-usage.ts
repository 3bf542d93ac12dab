import type { MessageID, PartID, SessionID } from "../base/ids.ts"
import type { Revision, Storage } from "../contracts/storage.ts"
import { createLedger, type Ledger } from "./ledger.ts"
import type { AssistantMessage, Session, UsagePart } from "../record/message.ts"
import { addSpent, nothingSpent, type Spent } from "../record/spent.ts"
import { spentIn, spentOf, timeOf } from "../usage/stored-spending.ts"

export interface DailyUsageDeps {
  readonly storage: Pick<Storage, "getSession" | "listSessions" | "readMessages" | "readChanges" | "watch">
  readonly now: () => number
  /** Returns whether this process runs the session. Such a run reports its usage itself. */
  readonly isRunning: (id: SessionID) => boolean
}

/** The usage of today, by this process and by others. */
export interface DailyUsage {
  /** Reads the day once, and from then on the commits of other processes. */
  ready(): Promise<void>
  readonly ledger: Ledger
  /** Records usage of a run of this process. */
  pay(messageID: MessageID, spent: Spent): void
  close(): void
}

/** Milliseconds. A run that began before midnight may continue without a new prompt. */
const MAX_RUN_MS = 24 * 60 * 60 * 1000

/** Creates the daily usage. `projectID`: counts only sessions of this project. Default: all sessions. */
export function createDailyUsage(deps: DailyUsageDeps, projectID?: string): DailyUsage {
  const { storage, now, isRunning } = deps
  const stop = new AbortController()
  let today = Number.NaN
  let ledger = createLedger()
  /** Messages whose usage runs of this process reported. */
  let own = new Set<MessageID>()
  /** Usage of each message and part as last read. */
  let recorded = new Map<MessageID | PartID, { readonly spent: Spent; readonly time: number }>()
  let read = new Map<SessionID, Revision>()
  /** True once the whole day was read. */
  let isRead = false
  let changed: Map<SessionID, Revision> | undefined
  let work: Promise<void> = Promise.resolve()

  function record(id: MessageID | PartID, spent: Spent, time = 0): void {
    const before = recorded.get(id)
    if (before === undefined && spent.requests === 0 && spent.cost === 0 && time === 0) return
    recorded.set(id, { spent, time })
    ledger.pay(before ? addSpent(spent, negative(before.spent)) : spent, true)
    ledger.addTime(time - (before?.time ?? 0))
  }
  function recordAnswer(info: AssistantMessage, session: Session): void {
    // The message that requested a summary reports the summary's calls.
    const messageID = info.summary ? info.parentID : info.id
    if (info.time.created >= today && !own.has(messageID) && !own.has(info.id)) {
      record(info.id, spentOf(info), timeOf(info, session))
    }
  }
  /** Books usage outside of assistant messages, whose own figures include that of tools. */
  function recordPart(part: UsagePart): void {
    if (part.time.created >= today && part.purpose !== "tool" && !own.has(part.messageID))
      record(part.id, spentIn(part))
  }

  async function readToday(session: Session): Promise<void> {
    for await (const { info, parts } of storage.readMessages(session.id)) {
      // A prompt keeps its time when it is moved.
      if (info.time.created < today && info.role === "assistant") return
      if (info.role === "assistant") recordAnswer(info, session)
      else for (const part of parts) if (part.type === "usage") recordPart(part)
    }
  }
  async function readAll(): Promise<void> {
    for await (const session of storage.listSessions(projectID === undefined ? {} : { projectID })) {
      if (session.time.updated >= today - MAX_RUN_MS) await readToday(session)
    }
  }
  /** Reads the commits since the last look of a session that another process runs. */
  async function follow(id: SessionID, revision: Revision): Promise<void> {
    const after = read.get(id)
    const session = await storage.getSession(id)
    if (!session || (projectID !== undefined && session.projectID !== projectID)) return
    if (after === undefined) await readToday(session)
    else {
      for (const change of await storage.readChanges(id, after)) {
        if (change.type === "message.put" && change.message.role === "assistant") recordAnswer(change.message, session)
        if (change.type === "part.put" && change.part.type === "usage") recordPart(change.part)
        if (change.type === "message.remove") record(change.messageID, nothingSpent)
      }
    }
    read.set(id, revision)
  }
  /**
   * Returns a map with the revisions of sessions that change from now on. When the watch ends, the whole day is read
   * again.
   */
  function watched(): Map<SessionID, Revision> {
    const changes = new Map<SessionID, Revision>()
    const watch = async () => {
      for await (const { sessionID, revision } of storage.watch({}, stop.signal)) changes.set(sessionID, revision)
    }
    void watch()
      .catch(() => undefined)
      .then(() => (changed = undefined))
    return changes
  }
  async function update(): Promise<void> {
    const start = dayStart(now())
    if (start !== today) {
      today = start
      isRead = false
      ;[ledger, own, recorded, read] = [createLedger(), new Set(), new Map(), new Map()]
    }
    if (!isRead || !changed) {
      changed ??= watched()
      changed.clear()
      await readAll()
      isRead = true
      return
    }
    const news = changed
    for (const [id, revision] of [...news]) {
      // A running session usually reports its usage itself. One that began without this limit is read when it ends.
      if (isRunning(id)) continue
      await follow(id, revision)
      if (news.get(id) === revision) news.delete(id)
    }
  }

  return {
    ready() {
      work = work.catch(() => undefined).then(update)
      return work
    },
    get ledger() {
      return ledger
    },
    pay(messageID, spent) {
      own.add(messageID)
      ledger.pay(spent)
    },
    close: () => stop.abort(),
  }
}

/** Returns the epoch milliseconds at which the local day of a time began. */
export function dayStart(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

function negative({ tokens: { cache, ...tokens }, cost, requests }: Spent): Spent {
  const { input, output, reasoning } = tokens
  return {
    ...{ requests: -requests, cost: -cost },
    tokens: {
      ...{ input: -input, output: -output, reasoning: -reasoning },
      cache: { read: -cache.read, write: -cache.write },
    },
  }
}
