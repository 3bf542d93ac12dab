import type { Write } from "@pawl/core/storage"
import { currentProcess } from "@pawl/storage-kit"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import { collect } from "./place.ts"
import { SimulatedDisk } from "./simulated-disk.ts"

const living = currentProcess()
/** No process has an id so large. */
const dead = { ...living, pid: 2 ** 30, start: "1" }
const afterRestart = { ...living, boot: "the next" }
const session = sessionID(1)

const open = (fs: SimulatedDisk, self: typeof living) =>
  createStorage({ path: "/simulated" }, { fs, self, warn: () => {} })

const begin: readonly Write[] = [
  { type: "session.put", session: sampleSession(session) },
  { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
  { type: "part.put", part: sampleText(session, messageID(1), partID(1)) },
]

async function diskWithSession(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  const storage = await open(disk, living)
  await storage.commit(session, begin)
  await storage.close()
  return disk
}

/** False when the disk stopped before the session was removed. */
async function remove(disk: SimulatedDisk, writes?: readonly Write[]): Promise<boolean> {
  try {
    const storage = await open(disk, dead)
    if (writes) await storage.commit(session, writes)
    await storage.removeSession(session)
    return true
  } catch (error) {
    if ((error as Error).name !== "Stopped") throw error
    return false
  }
}

it("leaves no parts of a removed session when a power cut takes back the removal of parts alone", async () => {
  let left = 0
  for (let operation = 1, isRemoved = false; !isRemoved; operation++) {
    const disk = (await diskWithSession()).next()
    disk.stopBefore(operation)
    isRemoved = await remove(disk)
    const names = (path: string) => (path.startsWith("/part") ? "lost" : "kept")
    const storage = await open(disk.next({ bytes: () => "kept", names }), afterRestart)
    const isThere = (await collect(storage.listSessions())).length > 0
    expect({ operation, problems: await collect(storage.verify()) }).toEqual({ operation, problems: [] })
    const { records } = await storage.stats()
    expect({ operation, parts: records.part.count }).toEqual({ operation, parts: isThere ? 1 : 0 })
    if (isThere) left++
    await storage.close()
  }
  expect(left).toBeGreaterThan(0)
})

it("leaves no parts of a removed session whose message a power cut took before it was on the disk", async () => {
  for (let operation = 1, isRemoved = false; !isRemoved; operation++) {
    const disk = new SimulatedDisk()
    disk.stopBefore(operation)
    isRemoved = await remove(disk, begin)
    const bytes = (path: string) => (path.startsWith("/part") ? "half" : "kept")
    const names = (path: string) => (path.startsWith("/message/") ? "lost" : "kept")
    const storage = await open(disk.next({ bytes, names }), afterRestart)
    expect({ operation, problems: await collect(storage.verify()) }).toEqual({ operation, problems: [] })
    await storage.close()
  }
})

it.each(["message", "part", "blob"])("is made in a directory where a power cut left only an empty %s", async (name) => {
  const disk = new SimulatedDisk()
  disk.makeDirectory(name)
  const storage = await open(disk, living)
  expect(await collect(storage.listSessions())).toEqual([])
  await storage.close()
})

it("is not made in a directory whose messages are of another program", async () => {
  const disk = new SimulatedDisk()
  disk.makeDirectory("message")
  disk.write("message/of-another", Buffer.from("text"))
  await expect(open(disk, living)).rejects.toThrow("holds other things than sessions")
})
