import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, stall, text } from "@pawl/model-server"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { expect, it } from "vitest"
import { type Workplace, workplace } from "./workplace.ts"

/** Waits in a way that can be found among all processes. */
const sleep = (mark: string) => call("bash", { command: `sleep 77 && echo ${own(mark)}` })

it("ends at the first Ctrl-C: no process left, nothing running in the storage, exit code 130", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(text("Wait."), sleep("mark-int"))] })

  const { child, finished } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await isRunning("mark-int")
  child.kill("SIGINT")

  const { code, stdout, stderr } = await finished
  expect({ code, stdout }).toEqual({ code: 130, stdout: "Wait.\n" })
  expect(stderr).toContain("stopping…")
  expect(stderr).toContain("go on:")
  expect(await processesWith("mark-int")).toEqual([])
  expect(await unsettled(place)).toEqual([])
})

it("says that a run stopped with Ctrl-C needs a task to continue", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(stall()), reply(text("Continued."))] })
  const { child, finished } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await server.received(1)
  child.kill("SIGINT")
  await finished

  const bare = await place.pawl(["run", "-c", "--base-url", server.url])
  const next = await place.pawl(["run", "-c", "--base-url", server.url, "continue"])

  expect(bare.code).toBe(2)
  expect(bare.stderr).toMatch(/The last run of session ses_\w+ was stopped by its user/)
  expect(bare.stderr).toContain('pawl run -c "continue"')
  expect(next).toMatchObject({ code: 0, stdout: "Continued.\n" })
})

it("ends at SIGTERM the same way, with exit code 143", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(sleep("mark-term"))] })

  const { child, finished } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await isRunning("mark-term")
  child.kill("SIGTERM")

  expect((await finished).code).toBe(143)
  expect(await processesWith("mark-term")).toEqual([])
  expect(await unsettled(place)).toEqual([])
})

it("ends at once at the second Ctrl-C, although a command does not want to, and loses nothing", async () => {
  const place = await workplace()
  const deaf = call("bash", { command: "trap '' INT TERM; while true; do sleep 77; done # " + own("mark-twice") })
  await using server = await modelServer({ replies: [reply(text("Wait."), deaf), reply(text("Went on."))] })

  const { child, finished, said } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await isRunning("mark-twice")
  child.kill("SIGINT")
  await said("stopping…")
  // Closer together they would be one press that arrived twice.
  await new Promise((resolve) => setTimeout(resolve, 300))
  child.kill("SIGINT")
  const { code, stderr } = await finished
  await endGroupsWith("mark-twice")
  const next = await place.pawl(["run", "-c", "--base-url", server.url, "go on"])

  expect(code).toBe(130)
  expect(stderr).not.toContain("go on:")
  expect(next).toMatchObject({ code: 0, stdout: "Went on.\n" })
  expect(await unsettled(place)).toEqual([])
})

it("ends at SIGTERM while it still opens, and stores nothing", async () => {
  const place = await workplace()
  await mkdir(join(place.configuration, "tool"))
  await writeFile(join(place.configuration, "tool/slow.js"), 'console.error("loading"); await new Promise(() => {})')

  const { child, finished, said } = place.start(["run", "-m", "replay/hello", "hi"])
  await said("loading")
  child.kill("SIGTERM")

  const { code, stderr } = await finished
  expect(code).toBe(143)
  // It was not waited for.
  expect(stderr).not.toContain("slow.js")
  expect((await place.pawl(["session", "list"])).stdout).toBe("")
})

it("tells of the end in JSON too", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(stall())] })

  const { child, finished } = place.start([
    "run",
    "--format=json",
    "-m",
    "custom/test",
    "--base-url",
    server.url,
    "wait",
  ])
  await server.received(1)
  child.kill("SIGINT")

  const { code, stdout } = await finished
  expect(code).toBe(130)
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "error",
    sessionID: expect.stringMatching(/^ses_/),
    error: { name: "MessageAbortedError" },
  })
})

it("goes on after it was killed while a command ran", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(sleep("mark-kill")), reply(text("Went on."))] })

  const { child, finished } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await isRunning("mark-kill")
  child.kill("SIGKILL")
  await finished
  await endGroupsWith("mark-kill")
  const next = await place.pawl(["run", "-c", "--base-url", server.url, "go on"])

  expect(next).toMatchObject({ code: 0, stdout: "Went on.\n" })
  // The server refuses a call without a result.
  expect(server.requests.map(({ status }) => status)).toEqual([200, 200])
  expect(await unsettled(place)).toEqual([])
})

it("finishes what was interrupted for -c without a task, and then has nothing to finish", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(stall()), reply(text("Finished."))] })

  const { child, finished } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "wait"])
  await server.received(1)
  child.kill("SIGKILL")
  await finished
  const next = await place.pawl(["run", "-c", "--base-url", server.url])
  const again = await place.pawl(["run", "-c", "--base-url", server.url])

  expect(next).toMatchObject({ code: 0, stdout: "Finished.\n" })
  expect(again).toMatchObject({ code: 2, stdout: "" })
  expect(again.stderr).toContain("was interrupted")
})

/** What is stored of calls and answers that have not come to their end. */
async function unsettled({ data }: Workplace): Promise<string[]> {
  const storage = await sqliteStorage({ path: join(data, "pawl.db") })
  const found: string[] = []
  let calls = 0
  for await (const session of storage.listSessions()) {
    for await (const { info, parts } of storage.readMessages(session.id)) {
      if (info.role === "assistant" && info.time.completed === undefined) found.push(info.id)
      const tools = parts.filter((part) => part.type === "tool")
      calls += tools.length
      found.push(
        ...tools.filter(({ state }) => state.status === "pending" || state.status === "running").map(({ id }) => id),
      )
    }
  }
  await storage.close()
  expect(calls).toBe(1)
  return found
}

async function isRunning(mark: string): Promise<void> {
  while ((await processesWith(mark)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Commands that a killed process has left, with all that they started. */
async function endGroupsWith(mark: string): Promise<void> {
  for (const pid of await processesWith(mark)) process.kill(-pid, "SIGKILL")
}

/** The tests may run at the same time in another directory. */
function own(mark: string): string {
  return `${mark}-${process.pid}-`
}

/** Processes with this mark in their command line. */
async function processesWith(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")))
  return pids.filter((_, index) => lines[index]?.includes(own(mark))).map(Number)
}
