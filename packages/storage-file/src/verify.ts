import { blobReferences, type LongWork, type StorageProblem } from "@pawl/core/storage"
import { hashOfFile, isBlobID } from "./blobs.ts"
import { isWhole } from "./change-log.ts"
import { blobPath, CHANGES, JOURNALS, SESSION_INDEX } from "./layout.ts"
import { fromName } from "./record-name.ts"
import { consistently } from "./session-access.ts"
import { readJournal } from "./session-head.ts"
import type { SessionIndex } from "./session-index.ts"
import type { Store } from "./store.ts"
import { surveyRecords } from "./survey.ts"
import { blobFiles } from "./walk.ts"

/** Reads every record, every blob and pawl's own files, and changes nothing. */
export async function* verify(store: Store, index: SessionIndex, work: LongWork = {}): AsyncGenerator<StorageProblem> {
  work.signal?.throwIfAborted()
  const missing = new Set<string>()
  for await (const { value, problem } of surveyRecords(store, work)) {
    if (problem) yield problem
    for (const id of value === undefined ? [] : blobReferences(JSON.stringify(value))) {
      if (missing.has(id) || store.fs.status(blobPath(id))) continue
      missing.add(id)
      yield {
        kind: "reference",
        subject: id,
        message: `Blob ${id} is referred to and missing. Put ${store.root}/${blobPath(id)} back from a backup.`,
      }
    }
  }
  yield* verifyBlobs(store, work)
  yield* verifyState(store)
  for (const { id, path } of index.wrong()) {
    yield {
      kind: "derived",
      subject: "session index",
      message: `${store.root}/${SESSION_INDEX} says something else of session ${id} than ${path}. Run \`pawl storage rebuild\`.`,
    }
  }
}

async function* verifyBlobs(store: Store, { signal }: LongWork): AsyncGenerator<StorageProblem> {
  for (const { id, path } of blobFiles(store)) {
    signal?.throwIfAborted()
    const isRight = isBlobID(id) && path === blobPath(id)
    if (isRight && [id, undefined].includes(await hashOfFile(store, path))) continue
    const message = `${store.root}/${path} does not hold what its name says and counts as missing. Put it back from a backup, or run \`pawl storage rebuild\`, which moves it to .pawl/quarantine.`
    yield { kind: "damaged", subject: id, message }
  }
}

/** Checks the journals and the change logs. */
async function* verifyState(store: Store): AsyncGenerator<StorageProblem> {
  for (const directory of [JOURNALS, CHANGES]) {
    for (const name of (store.fs.readDirectory(directory) ?? []).sort()) {
      const id = fromName(name)
      if (id === undefined) continue
      const isGood = await consistently(store, id, () => {
        if (directory === CHANGES) return isWhole(store.fs, `${directory}/${name}`)
        const view = readJournal(store, id)
        return !view || view.size === view.end
      })
      const message = `${store.root}/${directory}/${name} has a line that cannot be read. Readers that follow session ${id} may miss what changed; its records are there. The next commit sets it right.`
      if (!isGood) yield { kind: "derived", subject: `changes of ${id}`, message }
    }
  }
}
