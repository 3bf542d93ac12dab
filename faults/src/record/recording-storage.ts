import { createHash } from "node:crypto"
import { openSync, writevSync } from "node:fs"
import type { MaintainedStorage } from "@pawl/core/storage"
import type { AttemptLine, Operation } from "./attempt.ts"

const NEWLINE = Buffer.from("\n")

export interface AttemptLog {
  /** Everything that this process added. */
  readonly text: string
  add(line: AttemptLine): void
}

/**
 * Appends synchronously, so that lines written before a kill are in the file. Uses `writev`, which no storage uses, so
 * that sweeps can recognize these calls.
 */
export function openAttemptLog(path: string): AttemptLog {
  const file = openSync(path, "a")
  let text = ""
  return {
    get text() {
      return text
    },
    add(line) {
      const json = JSON.stringify(line)
      text += `${json}\n`
      writevSync(file, [Buffer.from(json), NEWLINE])
    },
  }
}

/** Logs each request before it is made, and each acknowledgement after it. */
export function recordingStorage(storage: MaintainedStorage, log: AttemptLog): MaintainedStorage {
  let count = 0

  async function record<T>(operation: Operation, revision: (value: T) => number | undefined, work: () => Promise<T>) {
    const number = ++count
    log.add({ begin: number, operation })
    try {
      const value = await work()
      log.add({ end: number, outcome: { type: "done", revision: revision(value) } })
      return value
    } catch (error) {
      const { name, message } = error as Error
      log.add({ end: number, outcome: { type: "failed", name, message } })
      throw error
    }
  }

  return {
    ...storage,
    commit: (sessionID, writes, lease) =>
      record(
        { type: "commit", sessionID, writes },
        (revision) => revision,
        () => storage.commit(sessionID, writes, lease),
      ),
    removeSession: (sessionID) =>
      record(
        { type: "remove", sessionID },
        () => undefined,
        () => storage.removeSession(sessionID),
      ),
    blobs: {
      get: (id) => storage.blobs.get(id),
      put: (bytes) =>
        record(
          { type: "blob", id: createHash("sha256").update(bytes).digest("hex") },
          () => undefined,
          () => storage.blobs.put(bytes),
        ),
    },
  }
}
