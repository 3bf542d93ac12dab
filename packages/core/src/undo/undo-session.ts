import { NotFoundError, SessionBusyError } from "../base/errors.ts"
import type { IDSource, MessageID, PartID, SessionID } from "../base/ids.ts"
import type { EventBus } from "../contracts/events.ts"
import type { FileHistory } from "../contracts/file-history.ts"
import type { Lease, SessionChanges, Storage } from "../contracts/storage.ts"
import { justAfter } from "../record/compaction-record.ts"
import type { FileChange, FileDiff, Session, UncoveredFile, UndoneFile, UndoStep } from "../record/message.ts"
import { busyError } from "../store/acquire-soon.ts"
import { type EditDeps, editSession } from "../store/edit.ts"
import type { JournalDeps } from "../store/journal.ts"
import { keepRenewed } from "../store/renewal.ts"
import { writeSession } from "../store/write.ts"
import { earlier, type SessionPoint } from "./changes-of.ts"
import { isWritten } from "./final-undo.ts"
import { sessionChanges } from "./session-changes.ts"
import { lastTurn, namedPoint, undonePoints, type UndoSides } from "./undo-point.ts"

export interface RevertInput {
  readonly sessionID: SessionID
  /** The first message to undo. Default: the user's last message that is not undone yet. */
  readonly messageID?: MessageID
  /** The first part of that message to undo. Default: the whole message */
  readonly partID?: PartID
  /** Undoes messages. Default: `true` */
  readonly chat?: boolean
  /** Undoes changes of files. Default: `true` */
  readonly files?: boolean
}

export interface UnrevertInput {
  readonly sessionID: SessionID
  /** Takes back only the newest undo. Default: `false`, all of them */
  readonly last?: boolean
}

/** The result of an undo or redo. */
export interface UndoReport {
  readonly session: Session
  /** The points from which on messages and files are undone now. Missing: nothing is undone on that side. */
  readonly undone: { readonly chat?: SessionPoint; readonly files?: SessionPoint }
  /** Every file that was looked at, with its outcome. */
  readonly files: readonly UndoneFile[]
  /** Files that may still hold changes, because their old content was never kept. */
  readonly uncovered: readonly UncoveredFile[]
}

export interface UndoDeps extends JournalDeps, EditDeps {
  readonly storage: Storage
  readonly ids: IDSource
  readonly bus: EventBus
  readonly history: FileHistory | undefined
  readonly getSession: (id: SessionID) => Promise<Session>
}

/** Undo and redo of sessions. All methods reject with SessionBusyError while a run works on the session. */
export interface Undo {
  /**
   * Undoes work of the session from a point on. Messages stay stored, and files can be put back, until the next prompt.
   * Rejects with NotFoundError if there is nothing to undo.
   */
  revert(input: RevertInput): Promise<UndoReport>
  /** Takes undos back. Rejects with NotFoundError if nothing is undone. */
  unrevert(input: UnrevertInput): Promise<UndoReport>
}

export function createUndo(deps: UndoDeps): Undo {
  const { storage, ids, now, history, getSession } = deps

  /** Runs the work while no other run or process can change the session. */
  async function alone<T>(sessionID: SessionID, work: (edit: Edit) => Promise<T>): Promise<T> {
    await getSession(sessionID)
    if (deps.isRunning(sessionID)) throw new SessionBusyError(sessionID, "this engine")
    return editSession(deps, sessionID, ids.other("undo"), async (lease) => {
      if (!lease) throw await busyError(storage, sessionID)
      const controller = new AbortController()
      const stopRenewal = keepRenewed(lease, deps.deadlines.lease, (error) => controller.abort(error))
      try {
        return await work({ sessionID, lease, lost: controller.signal })
      } finally {
        stopRenewal()
      }
    })
  }

  async function patch({ sessionID, lease }: Edit, changes: SessionChanges): Promise<Session> {
    const stored = { ...changes, time: { updated: now() } }
    await writeSession(deps, sessionID, [{ type: "session.patch", changes: stored }], lease)
    return getSession(sessionID)
  }

  const put = (edit: Edit, steps: readonly UndoStep[]) => patch(edit, stateOf(steps))

  /** Writes the planned files of the newest undo or redo, and stores how they turned out. */
  async function write(edit: Edit, steps: readonly UndoStep[]): Promise<Written> {
    const step = steps.at(-1)
    if (step?.status !== "applying") return { session: await getSession(edit.sessionID), files: step?.files ?? [] }
    edit.lost.throwIfAborted()
    const files = [...(await required(history).apply(step.redo ?? step.files ?? [], storage.blobs))]
    const others = steps.slice(0, -1)
    const session = await put(edit, step.redo ? others : [...others, { ...step, files, status: "done" }])
    return { session, files }
  }

  /** Returns the session after the files of an interrupted undo or redo are written. */
  async function settled(edit: Edit): Promise<Session> {
    const session = await getSession(edit.sessionID)
    return (await write(edit, session.undo ?? [])).session
  }

  async function undoTo(edit: Edit, session: Session, point: SessionPoint, sides: UndoSides): Promise<UndoReport> {
    const { undo = [] } = session
    const until = undonePoints(session).files
    const found = sides.files ? await sessionChanges(storage, session, { from: point, until }) : NOTHING
    const planned = found.changes.length > 0 ? await required(history).plan(found.changes, storage.blobs) : []
    const step: UndoStep = {
      id: ids.other("undo"),
      messageID: point.messageID as MessageID,
      ...(point.partID === undefined ? {} : { partID: point.partID as PartID }),
      chat: sides.chat,
      ...(sides.files ? { files: [...planned] } : {}),
      status: planned.some(isWritten) ? "applying" : "done",
      time: { created: now() },
    }
    await put(edit, [...undo, step])
    const after = await write(edit, [...undo, step])
    return report(await withSummary(edit, after.session), after.files, found.uncovered)
  }

  async function redoLast(edit: Edit, session: Session): Promise<UndoReport> {
    const { undo = [] } = session
    const step = undo.at(-1)
    if (!step) throw new NotFoundError(`Nothing is undone in session ${session.id}: there is nothing to redo.`)
    const written = (step.files ?? []).filter(isWritten)
    const changes = written.map(({ path, had, left }): FileChange => ({ path, before: had, after: left }))
    if (changes.length === 0) return report(await put(edit, undo.slice(0, -1)), [], [])
    const redo = [...(await required(history).plan(changes, storage.blobs))]
    const steps = [...undo.slice(0, -1), { ...step, redo, status: "applying" as const }]
    await put(edit, steps)
    const after = await write(edit, steps)
    return report(await withSummary(edit, after.session), after.files, [])
  }

  /** Stores and publishes how much is undone, as clients of OpenCode expect. */
  async function withSummary(edit: Edit, session: Session): Promise<Session> {
    const diff = await undoneDiff(session)
    deps.bus.publish("session.diff", { sessionID: session.id, diff })
    if (diff.length === 0 && session.summary === undefined) return session
    return patch(edit, { summary: diff.length > 0 ? summaryOf(diff) : undefined })
  }

  async function undoneDiff({ undo = [], directory }: Session): Promise<FileDiff[]> {
    const files = undo.flatMap((step) => step.files ?? []).filter(isWritten)
    if (files.length === 0 || !history) return []
    const changes = files.toReversed().map(({ path, had, left }): FileChange => ({ path, before: left, after: had }))
    return [...(await history.diff(changes, { directory, blobs: storage.blobs }))]
  }

  return {
    revert: ({ sessionID, messageID, partID, chat = true, files = true }) =>
      alone(sessionID, async (edit) => {
        if (!chat && !files) throw new TypeError("Undo messages, files, or both.")
        const sides = { chat, files: files && history !== undefined }
        if (!chat) required(history)
        let session = await settled(edit)
        if (messageID === undefined) {
          const point = await lastTurn(storage.readMessages(sessionID), undonePoints(session), sides)
          if (!point) throw new NotFoundError(`Nothing is left to undo in session ${sessionID}.`)
          return undoTo(edit, session, point, sides)
        }
        const point = await pointOf(storage, session, messageID, partID)
        const redone: UndoneFile[] = []
        // A point behind the present one takes undos back.
        while (isBehind(point, session, sides)) {
          const report = await redoLast(edit, session)
          redone.push(...report.files)
          ;({ session } = report)
        }
        const result = await undoTo(edit, session, point, sides)
        return { ...result, files: [...redone, ...result.files] }
      }),
    unrevert: ({ sessionID, last = false }) =>
      alone(sessionID, async (edit) => {
        let report = await redoLast(edit, await settled(edit))
        const files = [...report.files]
        const isAll = () => !last && report.session.undo !== undefined
        while (isAll()) {
          report = await redoLast(edit, report.session)
          files.push(...report.files)
        }
        return { ...report, files }
      }),
  }
}

interface Written {
  readonly session: Session
  readonly files: readonly UndoneFile[]
}

interface Edit {
  readonly sessionID: SessionID
  readonly lease: Lease
  /** Aborts when another process has taken the session. */
  readonly lost: AbortSignal
}

const NOTHING = { changes: [], uncovered: [] }

function required(history: FileHistory | undefined): FileHistory {
  if (!history) throw new NotFoundError("This engine cannot undo changes of files: it has no file history.")
  return history
}

/** Returns the fields of a session with these undos, in the form of OpenCode as well. */
function stateOf(steps: readonly UndoStep[]): SessionChanges {
  const { chat } = undonePoints({ undo: [...steps] })
  const revert = chat && {
    messageID: chat.messageID as MessageID,
    ...(chat.partID === undefined ? {} : { partID: chat.partID as PartID }),
  }
  return { undo: steps.length > 0 ? [...steps] : undefined, revert }
}

function summaryOf(diff: readonly FileDiff[]): Session["summary"] {
  const sum = (field: "additions" | "deletions") => diff.reduce((total, file) => total + file[field], 0)
  return { additions: sum("additions"), deletions: sum("deletions"), files: diff.length }
}

/** Returns whether the newest undo reaches further back than the point, so that it has to be taken back first. */
function isBehind(point: SessionPoint, { undo = [] }: Session, sides: UndoSides): boolean {
  const last = undo.at(-1)
  if (!last || (last.chat && !sides.chat) || (last.files && !sides.files)) return false
  const { messageID, partID } = last
  const first = earlier(last, point)
  return first === last || (messageID === point.messageID && partID === point.partID)
}

async function pointOf(
  storage: Pick<Storage, "readMessages">,
  { id }: Session,
  messageID: MessageID,
  partID: PartID | undefined,
): Promise<SessionPoint> {
  for await (const message of storage.readMessages(id, { before: justAfter(messageID), limit: 1 })) {
    if (message.info.id === messageID) return namedPoint(message, partID)
  }
  throw new NotFoundError(`Session ${id} has no message ${messageID}.`)
}

function report(session: Session, files: readonly UndoneFile[], uncovered: readonly UncoveredFile[]): UndoReport {
  const { chat, files: fromFiles } = undonePoints(session)
  const undone = { ...(chat ? { chat } : {}), ...(fromFiles ? { files: fromFiles } : {}) }
  return { session, undone, files, uncovered }
}
