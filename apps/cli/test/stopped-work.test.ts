import { readdir } from "node:fs/promises"
import { expect, it } from "vitest"
import { cli } from "../src/cli.ts"
import { testHost } from "./host.ts"
import { desk } from "./in-process.ts"

/** A project with a session in its usual place and one in a storage of files, which is the one to use, and commands in it that are ended as soon as they listen for that. */
async function stoppedDesk() {
  const { project, environment, talk } = await desk()
  await talk("one")
  environment["PAWL_STORAGE"] = "file:tree"
  const id = await talk("two")
  return {
    ...{ project, id },
    stopped: async (...args: readonly string[]) => {
      const host = testHost({
        ...{ directory: project, environment },
        onSignal(listener) {
          listener("SIGINT")
          return () => undefined
        },
      })
      const code = await cli(args, host)
      return { code, stdout: host.stdout.text(), stderr: host.stderr.text() }
    },
  }
}

it.each([
  { args: ["storage", "copy", "--to", "file:other"], says: "What was done stays done; the same command goes on." },
  { args: ["storage", "rebuild"], says: "What was done stays done; the same command goes on." },
  { args: ["storage", "verify"], says: "Not everything was checked; nothing was changed." },
  { args: ["storage", "backup", "a.db"], says: "No backup was written." },
])("ends with Ctrl-C and says how things stand: $args", async ({ args, says }) => {
  const { stopped } = await stoppedDesk()

  expect(await stopped(...args)).toEqual({ code: 130, stdout: "", stderr: `Stopped. ${says}\n` })
})

it.each(["file:tree", "sqlite:../data/pawl.db"])(
  "searches %s as far as it came before Ctrl-C, and says that text may be missing",
  async (storage) => {
    const { stopped } = await stoppedDesk()
    const stderr =
      "Stopped before everything was searched, so results may be missing. Run the same command to continue.\n"
    expect(await stopped("search", "--storage", storage, "--all", "hello")).toMatchObject({ code: 130, stderr })
  },
)

it("leaves nothing behind of a document or a backup that was not finished", async () => {
  const { stopped, project, id } = await stoppedDesk()
  const before = await readdir(project)

  const exported = await stopped("session", "export", "-o", "session.json", id)
  const copied = await stopped("storage", "backup", "a.db")
  const backedUp = await stopped("storage", "backup", "b.db", "--storage", "sqlite:../data/pawl.db")

  expect([exported, copied, backedUp].map(({ code }) => code)).toEqual([130, 130, 130])
  expect(exported.stderr).toBe("Stopped. Nothing was written.\n")
  expect(await readdir(project)).toEqual(before)
})

it("says of a document that goes to a pipe that it is not whole", async () => {
  const { stopped, id } = await stoppedDesk()

  expect(await stopped("session", "export", id)).toMatchObject({
    code: 130,
    stderr: "Stopped. The document is incomplete.\n",
  })
})
