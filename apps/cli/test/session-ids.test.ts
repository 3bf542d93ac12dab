import { join } from "node:path"
import { PassThrough } from "node:stream"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { expect, it } from "vitest"
import { cli } from "../src/cli.ts"
import { capturedOutput, testHost } from "./host.ts"
import { type Desk, desk } from "./in-process.ts"

/** Sessions of these ids, each with its id for a title. */
async function withSessions(...ids: readonly `ses_${string}`[]): Promise<Desk> {
  const place = await desk()
  const storage = await sqliteStorage({ path: join(place.data, "pawl.db") })
  const time = { created: 1_760_000_000_000, updated: 1_760_000_000_000 }
  for (const id of ids) {
    const session = { id, projectID: "global", directory: place.project, title: `about ${id}`, version: "1", time }
    await storage.commit(id, [{ type: "session.put", session }])
  }
  await storage.close()
  return place
}

const [FIRST, SECOND] = ["ses_AAAA1bcdefgh", "ses_AAAA2bcdefgh"] as const

it.each([
  ["session show", []],
  ["session children", []],
  ["session rename", ["x"]],
  ["session archive", []],
  ["session fork", []],
  ["session export", []],
  ["session remove --yes", []],
])("pawl %s takes the beginning of an id that only one session has", async (command, rest) => {
  const { pawl } = await withSessions(FIRST, SECOND)

  for (const beginning of ["ses_AAAA1", "AAAA1b"]) {
    const place = command === "session remove --yes" ? await withSessions(FIRST, SECOND) : { pawl }
    const { code, stderr, stdout } = await place.pawl(...command.split(" "), beginning, ...rest)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout + stderr).not.toContain(SECOND)
  }
})

it("runs, searches and restores by the beginning of an id", async () => {
  const { pawl, sessions } = await withSessions(FIRST, SECOND)

  expect(await pawl("run", "-m", "replay/hello", "-s", "ses_AAAA2", "look at the walrus")).toMatchObject({ code: 0 })
  expect((await pawl("search", "-s", "ses_AAAA2", "walrus")).stdout).toContain(SECOND)
  expect((await pawl("search", "-s", "ses_AAAA1", "walrus")).stdout).toBe("")
  await pawl("session", "remove", "--yes", FIRST, SECOND)
  const both = await pawl("session", "restore", "AAAA")
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining(`  ${FIRST}  about ${FIRST}\n`) })
  expect(await pawl("session", "restore", "AAAA1")).toMatchObject({
    code: 0,
    stderr: `restored ${FIRST}  about ${FIRST}\n`,
  })
  expect((await sessions()).map(({ id }) => id)).toEqual([FIRST])
})

it("lists the sessions that a beginning could mean, and does nothing", async () => {
  const { pawl, sessions } = await withSessions(FIRST, SECOND, "ses_BBBB")

  const { code, stdout, stderr } = await pawl("session", "remove", "--yes", "ses_BBBB", "ses_AAAA")

  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "pawl: The ids of several sessions begin with ses_AAAA:\n" +
      `  ${FIRST}  about ${FIRST}\n  ${SECOND}  about ${SECOND}\nWrite more of the id.\n`,
  })
  expect(await sessions()).toHaveLength(3)
})

it("names no more sessions than can be looked through", async () => {
  const { pawl } = await withSessions(...Array.from({ length: 12 }, (_, at) => `ses_AAAA${at + 10}` as const))

  const { stderr } = await pawl("session", "show", "ses_AAAA")

  expect(stderr.match(/about/g)).toHaveLength(8)
  expect(stderr).toContain("\n  and others\nWrite more of the id.\n")
})

it("takes a whole id for that session alone, whatever others begin with it", async () => {
  const { pawl, sessions } = await withSessions("ses_AAAA", FIRST)

  await pawl("session", "remove", "--yes", "ses_AAAA")

  expect((await sessions()).map(({ id }) => id)).toEqual([FIRST])
})

it("removes nothing where the question is answered with Ctrl-C, and says so", async () => {
  const { project, environment, sessions } = await withSessions(FIRST)
  const stderr = capturedOutput({ isTerminal: true })
  const stdin = Object.assign(new PassThrough(), { isTTY: true }) as unknown as NodeJS.ReadStream
  const host = { ...testHost({ directory: project, environment, stdin }), stderr }

  const removal = cli(["session", "remove", "AAAA1"], host)
  await expect.poll(() => stderr.text()).toContain(FIRST)
  host.send("SIGINT")

  expect(await removal).toBe(130)
  expect(stderr.text()).toContain("Nothing was removed.\n")
  expect(await sessions()).toHaveLength(1)
})

it("removes once what is named twice", async () => {
  const { pawl } = await withSessions(FIRST)

  const { code, stderr } = await pawl("session", "remove", "--yes", FIRST, "AAAA1")

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `removed ${FIRST}  about ${FIRST}\nTo restore within 7 days: pawl session restore ${FIRST}\n`,
  })
})

it.each([
  ["", "The id of the session is empty."],
  ["ses_", "There is no session ses_ in sqlite:"],
  ["ses", "There is no session ses in sqlite:"],
  ["ses_AAA", "There is no session ses_AAA in sqlite:"],
  ["ses_AAAA%", "There is no session ses_AAAA% in sqlite:"],
  ["ses_AAAA3", "There is no session ses_AAAA3 in sqlite:"],
  ["about", "There is no session about in sqlite:"],
])("does not take %j for the only session", async (text, says) => {
  const { pawl } = await withSessions(FIRST)

  expect(await pawl("session", "remove", "--yes", text)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(says),
  })
})
