import { setTimeout as sleep } from "node:timers/promises"
import { messageID, partID, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { startChild } from "./child.ts"
import { openStorage, temporaryFile } from "./place.ts"

const session = sessionID(1)

it.each([1, 2])("keeps every acknowledged commit of a killed writer and frees its lease at once (%i)", async () => {
  await Promise.all([1, 2, 3, 4, 5, 6].map(killAndReopen))
})

async function killAndReopen(): Promise<void> {
  const path = temporaryFile()
  const child = startChild("commit-forever.ts", [path])
  const first = await child.lines.next()
  expect((await settled(child.ended, first.done)).stderr).toBe("")
  await sleep(Math.random() * 60)
  child.process.kill("SIGKILL")
  let acknowledged = Number(first.value)
  for (let line = await child.lines.next(); !line.done; line = await child.lines.next())
    acknowledged = Number(line.value)
  expect((await child.ended).signal).toBe("SIGKILL")

  const storage = await openStorage(path)
  const { revision, messages } = await storage.readContext(session)
  expect(revision).toBeGreaterThanOrEqual(acknowledged)
  // Revision 1 made the session; each later one a message with its part. Nothing is missing and nothing is half there.
  const numbers = Array.from({ length: revision - 1 }, (_, index) => index + 1)
  expect(messages.map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)])).toEqual(
    numbers.map((number) => [messageID(number), partID(number)]),
  )
  const lease = await storage.acquire(session, "own_next", 60_000)
  expect(lease?.token.epoch).toBe(2)
  expect(await storage.commit(session, [], lease?.token)).toBe(revision + 1)
}

/** How the child ended, or a clean slate while it runs. */
async function settled<T>(ended: Promise<T & { stderr: string }>, hasEnded: boolean | undefined) {
  return hasEnded ? ended : { stderr: "" }
}
