import { memoryStorage } from "@pawl/storage-memory"
import type { Subject } from "./subject.ts"

export const memorySubject: Subject = {
  name: "memory",
  searches: false,
  async open() {
    const storage = memoryStorage()
    return { storage, writtenBytes: async () => undefined, [Symbol.asyncDispose]: () => storage.close() }
  },
}
