import type { LongWork } from "@pawl/core/storage"
import { makeParents } from "./make-parents.ts"
import { hashOfFile, isBlobID, lockBlobs } from "./blobs.ts"
import { compactedLog } from "./compact-log.ts"
import { blobPath, CHANGES, changesPath, CONTEXTS, PACKS, QUARANTINE } from "./layout.ts"
import { requireRecovered } from "./open-directory.ts"
import { fromName } from "./record-name.ts"
import { exclusively } from "./session-access.ts"
import type { SessionIndex } from "./session-index.ts"
import type { Store } from "./store.ts"
import { type Surveyed, surveyRecords } from "./survey.ts"
import { blobFiles } from "./walk.ts"

/** Completes interrupted work, moves damaged files to the quarantine, and rebuilds the index and the change logs. */
export async function rebuild(store: Store, index: SessionIndex, work: LongWork = {}): Promise<void> {
  work.signal?.throwIfAborted()
  await requireRecovered(store)
  for await (const surveyed of surveyRecords(store, work)) {
    if (isToBeSetAside(surveyed)) await setAsideBesideNobody(store, surveyed)
  }
  for (const { id, path } of blobFiles(store)) {
    work.signal?.throwIfAborted()
    await lockBlobs(store, id.padEnd(2, "0"), async () => {
      const isRight = isBlobID(id) && path === blobPath(id)
      if (!isRight || ![id, undefined].includes(await hashOfFile(store, path))) setAside(store, path)
    })
  }
  for (const name of store.fs.readDirectory(CHANGES) ?? []) {
    work.signal?.throwIfAborted()
    const id = fromName(name)
    if (id !== undefined && store.fs.status(changesPath(id))) {
      await exclusively(store, id, async () => (await compactedLog(store, id, true))?.place())
    }
  }
  for (const directory of [CONTEXTS, PACKS]) {
    for (const name of store.fs.readDirectory(directory) ?? []) store.fs.remove(`${directory}/${name}`)
  }
  index.rebuild()
}

/** Keeps messages of a session without a file: a backup may restore the session, and then it needs them. */
function isToBeSetAside({ kind, problem }: Surveyed): boolean {
  return problem !== undefined && !(kind === "message" && problem.kind === "reference")
}

async function setAsideBesideNobody(store: Store, { path, sessionID }: Surveyed): Promise<void> {
  if (sessionID === undefined) setAside(store, path)
  else await exclusively(store, sessionID, async () => setAside(store, path))
}

/** Moves a file to the quarantine under the same path. */
function setAside({ fs }: Store, path: string): void {
  if (!fs.status(path)) return
  let place = `${QUARANTINE}/${path}`
  for (let copy = 2; fs.status(place); copy++) place = `${QUARANTINE}/${path}.${copy}`
  makeParents(fs, place)
  fs.rename(path, place)
}
