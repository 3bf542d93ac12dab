import { open } from "node:fs/promises"
import { join } from "node:path"
import { fileStorage } from "@pawl/storage-file"
import { bytesWritten } from "../measure/bytes-written.ts"
import type { Subject } from "./subject.ts"

export const fileSubject: Subject = {
  name: "file",
  searches: false,
  async open(scratch, { durable }) {
    const folder = await scratch.folder()
    const storage = await fileStorage({ path: join(folder, "store"), durability: durable ? "sync" : "async" })
    const raw = await open(join(folder, "raw"), "a")
    return {
      storage,
      raw: {
        what: "a write and an fsync",
        async write(json) {
          await raw.write(json)
          await raw.sync()
        },
      },
      writtenBytes: async () => bytesWritten(),
      async [Symbol.asyncDispose]() {
        await raw.close()
        await storage.close()
      },
    }
  },
}
