import { findBinaries, startTestServer, type TestServer } from "@pawl/postgres-test-server"
import { file } from "./file.ts"
import { postgres } from "./postgres.ts"
import { sqlite } from "./sqlite.ts"
import type { Subject } from "./subject.ts"

export interface Subjects {
  readonly subjects: readonly Subject[]
  /** That of the subject `postgres`. */
  readonly server: TestServer | undefined
  /** Why those that are missing are. */
  readonly missing: readonly string[]
  close(): Promise<void>
}

const KNOWN = ["file", "sqlite", "postgres"]

/** The storages that can be tested here, or those of them that are named. Rejects for a name that is not known. */
export async function findSubjects(names: readonly string[] = KNOWN): Promise<Subjects> {
  const unknown = names.filter((name) => !KNOWN.includes(name))
  if (unknown.length > 0) throw new Error(`No storage is called ${unknown.join(", ")}. Known: ${KNOWN.join(", ")}.`)
  const subjects: Subject[] = [file, sqlite].filter(({ name }) => names.includes(name))
  const nothing = { subjects, server: undefined, missing: [], close: () => Promise.resolve() }
  if (!names.includes("postgres")) return nothing
  if (!findBinaries()) return { ...nothing, missing: ["postgres: skipped, PostgreSQL is not installed."] }
  // Commits wait for the disk: the sweeps stop the server as a crash would.
  const server = await startTestServer({ durable: true })
  return {
    subjects: [...subjects, postgres(server)],
    server,
    missing: [],
    async close() {
      await server[Symbol.asyncDispose]()
    },
  }
}
