import { join } from "node:path"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { expect, it } from "vitest"
import { type Desk, desk } from "./in-process.ts"

/** A session as an interrupted import leaves it. */
async function halfASession({ talk, data }: Desk): Promise<string> {
  const id = await talk("one")
  const storage = await sqliteStorage({ path: join(data, "pawl.db") })
  for await (const session of storage.listSessions()) {
    const archived = { ...session.time, archived: 1 }
    const changes = { title: "Unfinished transfer: one", metadata: { unfinishedTransfer: id, mine: 1 }, time: archived }
    await storage.commit(session.id, [{ type: "session.patch", changes }])
  }
  await storage.close()
  return id
}

it.each([
  [["run", "-m", "replay/hello", "-s"], ["go on"]],
  [["session", "rename"], ["x"]],
  [["session", "unarchive"], []],
])("is not taken for a session that can be worked on: %j", async (command, rest) => {
  const place = await desk()
  const id = await halfASession(place)

  const { code, stderr } = await place.pawl(...command, id, ...rest)

  expect(code).toBe(2)
  expect(stderr).toContain(`Session ${id} is not whole: it is being imported or copied, or that was interrupted.`)
  expect(stderr).toContain(`pawl session fork ${id}`)
  expect((await place.sessions("--archived")).map(({ title }) => title)).toEqual(["Unfinished transfer: one"])
})

it("is forked into a session of what is there, which is like any other", async () => {
  const place = await desk()
  const id = await halfASession(place)

  const { code, stdout, stderr } = await place.pawl("session", "fork", id)

  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("the fork is incomplete."),
  })
  const [fork] = await place.sessions()
  expect(fork).toMatchObject({ id: stdout.trim(), title: "one (fork #1)", metadata: { mine: 1 } })
  expect(fork?.["metadata"]).toEqual({ mine: 1 })
  expect(await place.pawl("session", "rename", stdout.trim(), "mine now")).toMatchObject({ code: 0 })
})
