import type { FileChange } from "./file-change.ts"
import { toDelta, type WrittenChange } from "./journal-delta.ts"
import type { JournalView } from "./journal.ts"

/** Caches recent journal contents of this handle, to which new lines can refer. */
export interface JournalMemory {
  /** Returns the changes to append to the journal, as differences if that is shorter. */
  shortened(id: string, view: JournalView | undefined, files: readonly FileChange[]): WrittenChange[]
  /** Records that these changes were appended to the journal as its last commit. */
  remember(id: string, view: JournalView | undefined, files: readonly FileChange[]): void
}

/** The contents of one journal. Valid until another handle writes to it. */
interface Written {
  readonly token: string
  readonly revision: number
  readonly files: ReadonlyMap<string, string>
}

const MAX_SESSIONS = 32
const MAX_FILES = 4
const MAX_LENGTH = 256 * 1024

export function createJournalMemory(): JournalMemory {
  const sessions = new Map<string, Written>()

  return {
    shortened(id, view, files) {
      const known = sessions.get(id)
      const isCurrent =
        known !== undefined && view?.header?.token === known.token && view.commits.at(-1)?.revision === known.revision
      if (!isCurrent) sessions.delete(id)
      return files.map(([path, json]) => {
        const before = isCurrent ? known.files.get(path) : undefined
        return [path, before === undefined || json === null ? json : (toDelta(before, json) ?? json)]
      })
    },
    remember(id, view, files) {
      const token = view?.header?.token
      const revision = view?.commits.at(-1)?.revision
      const kept = new Map(sessions.get(id)?.files)
      sessions.delete(id)
      if (token === undefined || revision === undefined) return
      for (const [path, json] of files) {
        kept.delete(path)
        if (json !== null && json.length <= MAX_LENGTH) kept.set(path, json)
      }
      sessions.set(id, { token, revision, files: new Map([...kept].slice(-MAX_FILES)) })
      const [oldest] = sessions.keys()
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
    },
  }
}
