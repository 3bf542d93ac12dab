import { setTimeout as sleep } from "node:timers/promises"
import { sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import { currentProcess } from "@pawl/storage-kit"
import { SimulatedDisk } from "./simulated-disk.ts"

it("goes on and warns once when the files of commits cannot be brought onto the disk", async () => {
  const disk = new SimulatedDisk()
  const warnings: string[] = []
  const deps = { fs: disk, self: currentProcess(), longestJournal: 500, warn: (text: string) => warnings.push(text) }
  const storage = await createStorage({ path: "/simulated" }, deps)
  disk.failWith((operation, path) => (operation === "sync" && path.startsWith("session/") ? "EIO" : undefined))

  for (let number = 1; number <= 20; number++) {
    await storage.commit(sessionID(1), [{ type: "session.put", session: sampleSession(sessionID(1)) }])
    await sleep(1)
  }
  expect(warnings).toEqual([expect.stringMatching(/its journal in \/simulated\/\.pawl\/journal is: .*Check the disk/)])

  disk.failWith(undefined)
  await storage.close()
  expect(disk.status(`.pawl/journal/${sessionID(1)}`)?.size).toBe(0)
})
