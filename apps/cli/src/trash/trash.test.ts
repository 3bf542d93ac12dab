import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createIDSource, type Session, type Storage } from "@pawl/core"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/host.ts"
import { readAudit } from "./audit.ts"
import { createTrash } from "./trash.ts"

const DAY = 86_400_000
const BEGIN = Date.UTC(2030, 0, 1)

async function scene() {
  const storage = memoryStorage()
  const dataDirectory = await temporaryDirectory()
  const clock = { now: BEGIN }
  const ids = createIDSource(() => clock.now)
  const trash = createTrash({ dataDirectory, now: () => clock.now })
  async function session(title: string): Promise<Session> {
    const time = { created: 1, updated: 1 }
    const made: Session = { id: ids.session(), projectID: "global", directory: "/p", title, version: "1", time }
    await storage.commit(made.id, [{ type: "session.put", session: made }])
    return made
  }
  return { storage, trash, clock, session, directory: join(dataDirectory, "trash") }
}

describe("the trash", () => {
  it("keeps a session for seven days, then lets it go for good, and notes both", async () => {
    const { storage, trash, clock, session, directory } = await scene()
    const [old, young] = [await session("old"), await session("young")]
    await trash.keep(storage, [old])
    clock.now += 3 * DAY
    await trash.keep(storage, [young, old])

    clock.now = BEGIN + 7 * DAY - 1
    expect((await trash.list()).map(({ id }) => id)).toEqual([young.id, old.id])
    expect(await trash.purge()).toEqual([])
    clock.now++

    expect((await trash.list()).map(({ title, sessions }) => [title, sessions])).toEqual([["young", 2]])
    expect((await trash.purge()).map(({ title }) => title)).toEqual(["old"])
    expect((await readdir(directory)).toSorted()).toEqual(["audit.jsonl", `${young.id}.json`].toSorted())
    expect((await readAudit(directory)).map(({ action, title }) => `${action} ${title}`)).toEqual([
      ...["remove old", "remove young", "purge old"],
    ])
  })

  it("is for its owner alone to read, and leaves nothing unfinished when it cannot be written", async () => {
    const { storage, trash, session, directory } = await scene()
    const made = await session("one")
    const failing: Storage = {
      ...storage,
      readMessages: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("cannot be read")) }),
      }),
    }

    await expect(trash.keep(failing, [made])).rejects.toThrow("cannot be read")
    expect(await readdir(directory)).toEqual([])
    await trash.keep(storage, [made])

    const modes = await Promise.all([directory, join(directory, `${made.id}.json`)].map((path) => stat(path)))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600])
    expect(await trash.read(made.id)).toMatchObject({ sessions: [{ session: { title: "one" } }] })
  })

  it("still lists what its log does not know of", async () => {
    const { storage, trash, session, directory } = await scene()
    const made = await session("one")
    await trash.keep(storage, [made])
    await writeFile(join(directory, "audit.jsonl"), "")
    await utimes(join(directory, `${made.id}.json`), BEGIN / 1000, BEGIN / 1000)
    await writeFile(join(directory, "notes.json"), "mine")

    expect((await trash.list()).map(({ id }) => id)).toEqual([made.id])
    expect(await readFile(join(directory, "notes.json"), "utf8")).toBe("mine")
  })

  it("is empty where it was never used", async () => {
    const { trash, directory } = await scene()

    expect([await trash.list(), await trash.purge()]).toEqual([[], []])
    await expect(readdir(directory)).rejects.toThrow("ENOENT")
    await mkdir(directory)
    expect(await trash.list()).toEqual([])
  })
})
