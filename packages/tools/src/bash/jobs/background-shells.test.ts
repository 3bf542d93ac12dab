import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { testContext } from "../../../test/context.ts"
import { testDirectory } from "../../../test/directory.ts"
import { eventually, processesWith } from "../../../test/processes.ts"
import { testTools } from "../../../test/tools.ts"
import { backgroundShells } from "./background-shells.ts"
import { createJobs } from "./jobs.ts"

async function testShells() {
  const directory = await testDirectory()
  const outputDirectory = join(await testDirectory(), "outputs")
  const jobs = createJobs({ outputDirectory })
  onTestFinished(() => jobs.close())
  const tools = testTools(directory, { jobs, outputDirectory, stopGrace: 200 })
  return {
    ...{ directory, shells: backgroundShells(jobs), tools },
    start: async (command: string, sessionID: `ses_${string}` = "ses_test") => {
      const { metadata } = await tools.run("bash", { command, background: true }, testContext(directory, { sessionID }))
      return metadata?.["jobID"] as string
    },
  }
}

it("lists running and ended commands of a session with their last line, and none of another session", async () => {
  const { directory, shells, start } = await testShells()
  const before = Date.now()
  const first = await start("echo ready; until [ -e go ]; do sleep 0.01; done; printf 'größer 日本\\n\\n'; exit 3")
  const second = await start("true")
  expect(await shells.list("ses_other")).toEqual([])
  await eventually(async () => (await shells.list("ses_test"))[1]?.end !== undefined)
  const [running, ended] = await shells.list("ses_test")
  expect(running).toMatchObject({ id: first, lastLine: "ready" })
  expect(running).not.toHaveProperty("end")
  expect(running?.started).toBeGreaterThanOrEqual(before)
  expect(ended).toMatchObject({ id: second, command: "true", lastLine: "", end: { exit: 0, signal: null } })

  await writeFile(join(directory, "go"), "")
  await eventually(async () => (await shells.list("ses_test"))[0]?.end !== undefined)
  expect(await shells.list("ses_test")).toMatchObject([{ lastLine: "größer 日本", end: { exit: 3 } }, {}])
})

it("reads an output whose last part begins within a character, and leaves the model's looks alone", async () => {
  const { directory, shells, start, tools } = await testShells()
  const line = "語".repeat(33)
  const id = await start(
    `echo; until [ -e begin ]; do sleep 0.01; done; yes ${line} | head -1000; printf '語%.0s' $(seq 3000); echo; until [ -e go ]; do sleep 0.01; done`,
  )
  await writeFile(join(directory, "begin"), "")
  await eventually(async () => {
    const { text, omitted } = await shells.output("ses_test", id)
    return Buffer.byteLength(text) + omitted === 1 + 100_000 + 9001
  })
  const { text, omitted } = await shells.output("ses_test", id)
  expect(omitted).toBeGreaterThan(50_000)
  expect(text).toMatch(/^[語\n]+$/)
  const [shell] = await shells.list("ses_test")
  expect(shell?.lastLine).toBe("語".repeat(200))
  await writeFile(join(directory, "go"), "")
  const looked = await tools.run("bash_output", { jobID: id, wait_ms: 10_000 }, testContext(directory))
  expect(looked.output).toContain(line)
})

it("stops a command with all that it started, once", async () => {
  const { shells, start } = await testShells()
  const mark = `MARK_${crypto.randomUUID().replaceAll("-", "")}`
  const id = await start(`export ${mark}=1; sleep 300 & sleep 301`)
  expect(await processesWith(mark)).not.toEqual([])
  expect(await shells.stop("ses_test", id)).toBe(true)
  expect(await processesWith(mark)).toEqual([])
  expect(await shells.list("ses_test")).toMatchObject([{ end: { stopped: "kill" } }])
  expect(await shells.stop("ses_test", id)).toBe(false)
})

it("rejects for a command of another session", async () => {
  const { shells, start } = await testShells()
  const id = await start("sleep 60")
  await expect(shells.output("ses_other", id)).rejects.toThrow("There is no job")
  await expect(shells.stop("ses_other", id)).rejects.toThrow("There is no job")
  expect(await shells.list("ses_test")).toMatchObject([{ id }])
})
