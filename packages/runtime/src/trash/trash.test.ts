import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createIDSource, type Session } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
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
  it("keeps a session for seven days, then deletes it, and logs both", async () => {
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
    expect((await readdir(directory)).filter((name) => name.endsWith(".json"))).toEqual([
      expect.stringMatching(new RegExp(`^${young.id}\\.`)),
    ])
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

    const [kept] = await trash.list()
    const modes = await Promise.all([directory, kept?.file ?? ""].map((path) => stat(path)))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600])
    expect(kept && (await trash.read(kept))).toMatchObject({ sessions: [{ session: { title: "one" } }] })
  })

  it("still lists what its log does not know of", async () => {
    const { storage, trash, session, directory } = await scene()
    const made = await session("one")
    await trash.keep(storage, [made])
    await writeFile(join(directory, "audit.jsonl"), "")
    const early: Session["id"] = `${made.id}0`
    await writeFile(join(directory, `${early}.json`), "{}")
    await utimes(join(directory, `${early}.json`), BEGIN / 1000 - 60, BEGIN / 1000 - 60)
    await writeFile(join(directory, "notes.json"), "mine")

    expect((await trash.list()).map(({ id, removed }) => [id, removed - BEGIN])).toEqual([
      [made.id, 0],
      [early, -60_000],
    ])
    expect(await readFile(join(directory, "notes.json"), "utf8")).toBe("mine")
  })

  it("keeps a session of each storage, and each time that it was removed, beside the others", async () => {
    const { storage, trash, clock, session } = await scene()
    const made = await session("here")
    const elsewhere = { ...memoryStorage(), location: "elsewhere" }
    await elsewhere.commit(made.id, [{ type: "session.put", session: { ...made, title: "elsewhere" } }])
    await trash.keep(storage, [made])
    await trash.keep(elsewhere, [{ ...made, title: "elsewhere" }])
    clock.now += 1000
    await storage.commit(made.id, [{ type: "session.patch", changes: { title: "again" } }])
    await trash.keep(storage, [{ ...made, title: "again" }])

    const kept = await trash.list()
    expect(kept.map(({ title, storage }) => `${storage}: ${title}`).toSorted()).toEqual([
      ...["elsewhere: elsewhere", "memory: again", "memory: here"],
    ])
    const titles = await Promise.all(kept.map((each) => trash.read(each)))
    expect(titles).toMatchObject(kept.map(({ title }) => ({ sessions: [{ session: { title } }] })))
    if (kept[0]) await trash.forget(kept[0])
    expect(await trash.list()).toEqual(kept.slice(1))
  })

  it("is empty where it was never used", async () => {
    const { trash, directory } = await scene()

    expect([await trash.list(), await trash.purge()]).toEqual([[], []])
    await expect(readdir(directory)).rejects.toThrow("ENOENT")
    await mkdir(directory)
    expect(await trash.list()).toEqual([])
  })
})
