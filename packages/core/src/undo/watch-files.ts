import { setTimeout } from "node:timers/promises"
import type { IDSource } from "../base/ids.ts"
import type { CallWatch, FileHistory, FoundChanges } from "../contracts/file-history.ts"
import type { BlobStore } from "../contracts/storage.ts"
import type { Tool, ToolLocation } from "../contracts/tool.ts"
import { callKey } from "../record/call-key.ts"
import type { FileChange, MessageWithParts, PatchPart, ToolPart } from "../record/message.ts"
import type { Journal } from "../store/journal.ts"
import { patchOf } from "./final-undo.ts"

/** A call that is about to run. */
export interface CallToWatch {
  readonly call: CallID
  readonly tool: Tool
  readonly input: unknown
  readonly place: ToolLocation
  readonly signal: AbortSignal
}

/** A call whose files are watched while it runs. */
export interface WatchedFiles {
  /** Fields of the call's part, to be stored before the call runs. */
  readonly begun: Pick<ToolPart, "changes" | "uncovered">
  /** Keeps watching after the result, until the promise settles. */
  readonly continues: (this: void, until: Promise<unknown>) => void
  /** Notes that the call has ended. What it changed is stored with one of the next commits. */
  end(): void
}

/** Watches the files of a run's calls. */
export interface FileWatcher {
  /** Lists the files in the background while a model answers. */
  onSent(): void
  /** Begins to watch a call that does not record its changes itself. */
  watchCall(call: CallToWatch): Promise<WatchedFiles | undefined>
  /** Stores the changes that an ended call has recorded itself. */
  recorded(part: ToolPart): void
  /** Finds the changes of calls in a message that a dead process left. */
  recover(message: MessageWithParts | undefined): void
  /** Resolves when the changes of all calls are stored. Stops watching work in the background. */
  settled(): Promise<void>
}

/** Longest wait of a call for what the last one changed. The model usually takes longer to ask for a call. */
const MAX_WAIT_MS = 100

type CallID = Pick<ToolPart, "sessionID" | "messageID" | "callID">

export interface FileWatcherDeps {
  readonly history: FileHistory | undefined
  readonly blobs: BlobStore
  readonly ids: Pick<IDSource, "part">
  readonly journal: Journal
  /** The directories of the session. */
  readonly place: ToolLocation
  /** Aborts with the run. */
  readonly signal: AbortSignal
}

export function createFileWatcher({ history, blobs, ids, journal, place, signal }: FileWatcherDeps): FileWatcher {
  const open = new Set<Promise<void>>()
  /** Ends the watches of calls whose work continues in the background. */
  const background = new Set<() => void>()

  function stage({ sessionID, messageID, callID }: CallID, patch: Omit<PatchPart, keyof CallID | "id">) {
    const part: PatchPart = { id: ids.part(), sessionID, messageID, callID, ...patch }
    journal.stage([{ type: "part.put", part }])
  }

  function stageFound(call: CallID, { changes, uncovered }: FoundChanges) {
    if (changes.length === 0 && uncovered.length === 0) return
    stage(call, { ...patchOf(changes), ...(uncovered.length > 0 ? { uncovered: [...uncovered] } : {}) })
  }

  /** Stores what is found in the background. */
  function store(call: CallID, finding: Promise<FoundChanges>) {
    const stored = finding.then(
      (found) => stageFound(call, found),
      () => undefined,
    )
    open.add(stored)
    void stored.finally(() => open.delete(stored))
  }

  return {
    onSent: () => history?.prepare(place),
    async watchCall({ call, tool, input, place, signal }) {
      if (!history || tool.effect === "pure" || tool.changes === "none") return undefined
      // A change of this call would make it unknown what the last one did.
      if (open.size > 0) await Promise.race([Promise.all(open), setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
      if (tool.changes === "recorded") return undefined
      const targets = (await tool.changedFiles?.(input, place).catch(() => [])) ?? []
      const watched = { ...place, sessionID: call.sessionID, key: callKey(call), targets, blobs, signal }
      const watch = await history.watch(watched).catch(() => {
        signal.throwIfAborted()
        // A call must not fail because it cannot be undone.
        store(call, Promise.resolve({ changes: [], uncovered: [{ path: place.worktree, reason: "unreadable" }] }))
        return undefined
      })
      if (!watch) return undefined
      return { begun: watch.begun.changes.length > 0 ? partFields(watch.begun) : {}, ...ending(call, watch) }
    },
    recorded({ changes = [], ...part }) {
      if (!history || changes.length === 0) return
      for (const { path, after } of changes) {
        if (after !== undefined) history.recorded({ sessionID: part.sessionID, path, after })
      }
      const { changes: _changes, ...patch } = patchOf(changes)
      stage(part, patch)
    },
    recover(message) {
      if (!history || !message) return
      const patched = new Set(message.parts.flatMap((part) => (part.type === "patch" ? [part.callID] : [])))
      for (const part of message.parts) {
        if (part.type !== "tool" || part.metadata?.["effect"] === "pure" || patched.has(part.callID)) continue
        const { sessionID } = part
        const targets = (part.changes ?? []).map(({ path }) => path)
        const call = { ...place, sessionID, key: callKey(part), targets, blobs, signal }
        store(part, history.recover(call))
      }
    },
    async settled() {
      for (const stop of background) stop()
      if (open.size === 0) return
      await Promise.all(open)
      await journal.commit([])
    },
  }

  /** Adds that work which is no longer watched may change more. */
  function withBackground({ changes, uncovered }: FoundChanges): FoundChanges {
    return { changes, uncovered: [...uncovered, { path: place.worktree, reason: "background" }] }
  }

  function ending(call: CallID, watch: CallWatch): Pick<WatchedFiles, "continues" | "end"> {
    let until: Promise<unknown> | undefined
    const look = () => store(call, watch.end())
    const stop = () => {
      background.delete(stop)
      store(call, watch.end().then(withBackground))
    }
    return {
      continues: (promise) => void (until = promise),
      end() {
        if (!until) return look()
        const finish = () => {
          if (background.delete(stop)) look()
        }
        background.add(stop)
        until.then(finish, finish)
      },
    }
  }
}

function partFields({ changes, uncovered }: FoundChanges): Pick<ToolPart, "changes" | "uncovered"> {
  return { changes: [...changes] as FileChange[], ...(uncovered.length > 0 ? { uncovered: [...uncovered] } : {}) }
}
