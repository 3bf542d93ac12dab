import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { bytesWritten } from "../measure/bytes-written.ts"
import type { Subject } from "./subject.ts"

export const sqliteSubject: Subject = {
  name: "sqlite",
  searches: true,
  async open(scratch, { durable }) {
    const folder = await scratch.folder()
    const storage = await sqliteStorage({ path: join(folder, "pawl.db"), durability: durable ? "sync" : "async" })
    const raw = new DatabaseSync(join(folder, "raw.db"))
    raw.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE record (data TEXT)")
    const insert = raw.prepare("INSERT INTO record (data) VALUES (?)")
    return {
      storage,
      raw: { what: "an insert with node:sqlite", write: async (json) => void insert.run(json) },
      writtenBytes: async () => bytesWritten(),
      async [Symbol.asyncDispose]() {
        raw.close()
        await storage.close()
      },
    }
  },
}
