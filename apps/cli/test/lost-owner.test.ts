import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { modelServer, reply, text } from "@pawl/model-server"
import { startTestServer, type TestServer } from "@pawl/postgres-test-server"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

/** Starts a process in a process-id namespace of its own, as in another container with the same host name. */
const OTHER_NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child"]
const canUnshare = spawnSync("unshare", [...OTHER_NAMESPACE.slice(1), "true"]).status === 0

const server: TestServer | undefined = await startTestServer().catch((error: unknown) => {
  console.warn(`Tests with PostgreSQL are skipped: ${String(error)}`)
  return undefined
})
afterAll(() => server?.[Symbol.asyncDispose]())

/** A run whose model does not answer before `answer` is called, and ways to go on with its session. */
async function runAtWork(storageName: string, prefix: readonly string[] = []) {
  const answer = Promise.withResolvers<void>()
  let requests = 0
  const model = await modelServer({
    async replies() {
      if (requests++ === 0) await answer.promise
      return reply(text("Done."))
    },
  })
  onTestFinished(async () => {
    answer.resolve()
    await model.close()
  })
  const here = await workplace()
  await mkdir(here.data)
  const kept = join(here.data, "kept")
  const schema = `t_${randomUUID().replaceAll("-", "")}`
  const storage = storageName === "postgres" ? `${server?.url}?schema=${schema}` : `${storageName}:${kept}`
  const options = ["--storage", storage, "--base-url", model.url]
  const first = here.start(["run", "-m", "custom/test", ...options, "first"], { prefix })
  await model.received(1)
  const next = (...words: string[]) => here.start(["run", "-c", ...options, ...words])
  return { first, next, model, kept, answer: answer.resolve }
}

/** In milliseconds: a lease takes 15 s to end. */
const LONG_TEST = 60_000

/** Has the lease of the only session held by a process of another host, for longer than the test takes. */
function moveOwner(file: string): void {
  const database = new DatabaseSync(file)
  database.exec("UPDATE lease SET host = 'elsewhere', ttl = 50000, expires = expires + 30000")
  database.close()
}

const storages = ["sqlite", "file", "postgres"].filter((name) => name !== "postgres" || server !== undefined)

describe.each(storages)("on %s", (name) => {
  it.runIf(process.platform === "linux")("goes on at once with the session of a process that was killed", async () => {
    const { first, next, answer } = await runAtWork(name)
    first.child.kill("SIGKILL")
    await first.finished
    answer()

    const { code, stdout, stderr } = await next("--format", "json").finished

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const lines = jsonLines(stdout)
    expect(lines.filter(({ type }) => type === "text")).toMatchObject([{ part: { text: "Done." } }])
    expect(lines.filter(({ type }) => type === "lease_wait")).toEqual([])
  })

  it("leaves the session to a process that lives, and names it", async () => {
    const { first, next, answer, model } = await runAtWork(name)

    const second = await next("second").finished
    answer()

    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`or end that process (pid ${first.child.pid} on `)
    expect(await first.finished).toMatchObject({ code: 0, stdout: "Done.\n" })
    expect(model.requests).toHaveLength(1)
  })

  it.runIf(canUnshare)(
    "leaves the session to a process that lives in another container",
    async () => {
      const { first, next, answer } = await runAtWork(name, OTHER_NAMESPACE)

      const second = next("second")
      await second.said("which this machine cannot check. Waiting for its lease")
      const { code, stderr } = await second.finished
      answer()

      expect(code).toBe(1)
      expect(stderr).toMatch(
        /being worked on by another process\. Wait for it to finish, or end that process \(pid \d+ on /,
      )
      expect(await first.finished).toMatchObject({ code: 0, stdout: "Done.\n" })
    },
    LONG_TEST,
  )
})

it.runIf(canUnshare && server !== undefined)(
  "waits for the lease of a process that was killed in another container, and then goes on",
  async () => {
    const { first, next, answer } = await runAtWork("postgres", OTHER_NAMESPACE)
    first.child.kill("SIGKILL")
    await first.finished
    answer()

    const { code, stdout } = await next("--format", "json").finished

    expect(code).toBe(0)
    const lines = jsonLines(stdout)
    const waits = lines.filter(({ type }) => type === "lease_wait") as { remaining: number; process: object }[]
    expect(waits.length).toBeGreaterThan(0)
    for (const { remaining } of waits) {
      expect(remaining).toBeGreaterThan(0)
      expect(remaining).toBeLessThanOrEqual(15_000)
    }
    expect(waits[0]?.process).toEqual({ host: expect.any(String), pid: expect.any(Number) })
    expect(lines.filter(({ type }) => type === "text")).toMatchObject([{ part: { text: "Done." } }])
  },
  LONG_TEST,
)

it("stops at Ctrl-C while it waits for a lease, and leaves no prompt behind", async () => {
  const { first, next, answer, kept, model } = await runAtWork("sqlite")
  first.child.kill("SIGKILL")
  await first.finished
  answer()
  moveOwner(kept)

  const second = next("second")
  await second.said("Waiting for its lease")
  second.child.kill("SIGINT")

  expect(await second.finished).toMatchObject({ code: 130, stdout: "" })
  expect(model.requests).toHaveLength(1)
  const database = new DatabaseSync(kept)
  onTestFinished(() => database.close())
  expect(database.prepare("SELECT count(*) AS count FROM lease WHERE host = 'elsewhere'").get()).toEqual({ count: 1 })
})
