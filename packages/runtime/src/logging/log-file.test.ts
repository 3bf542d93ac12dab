import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { appendLog, logFile } from "./log-file.ts"

it("is for this user alone, and appended to", async () => {
  const directory = await temporaryDirectory()

  appendLog(directory, "a\n")
  appendLog(directory, "b\n")

  expect(await readFile(logFile(directory), "utf8")).toBe("a\nb\n")
  expect((await stat(logFile(directory))).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory, "log"))).mode & 0o777).toBe(0o700)
})

it("makes no data directory, and fails nowhere", async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, "file")
  await writeFile(file, "")

  appendLog(join(directory, "none"), "a\n")
  appendLog(file, "a\n")

  expect(await readdir(directory)).toEqual(["file"])
})

it("keeps so many files of such a size", async () => {
  const directory = await temporaryDirectory()
  for (let number = 0; number < 40; number++)
    appendLog(directory, `${number}\n`.padStart(10), { maxBytes: 50, files: 3 })

  const log = join(directory, "log")
  expect((await readdir(log)).toSorted()).toEqual(["pawl.log", "pawl.log.1", "pawl.log.2"])
  expect((await readFile(join(log, "pawl.log"), "utf8")).split("\n").at(-2)?.trim()).toBe("39")
  for (const name of await readdir(log)) expect((await stat(join(log, name))).size).toBeLessThanOrEqual(60)
})

it("leaves the rotation to the process that holds the lock, until the lock is stale", async () => {
  const directory = await temporaryDirectory()
  const lock = `${logFile(directory)}.turning`
  await mkdir(join(directory, "log"))
  await writeFile(lock, "")
  const limits = { maxBytes: 5, files: 2 }
  for (const text of ["first\n", "second\n"]) appendLog(directory, text, limits)
  expect(await readFile(logFile(directory), "utf8")).toBe("first\nsecond\n")

  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(lock, longAgo, longAgo)
  for (const text of ["third\n", "fourth\n"]) appendLog(directory, text, limits)

  expect(await readFile(logFile(directory), "utf8")).toBe("fourth\n")
})

it("has every line of several processes whole", async () => {
  const directory = await temporaryDirectory()
  const module = JSON.stringify(join(import.meta.dirname, "log-file.ts"))
  const program = `import { appendLog } from ${module}
    for (let number = 0; number < 300; number++) {
      const line = JSON.stringify({ pid: process.pid, number, text: "x".repeat(500) })
      appendLog(${JSON.stringify(directory)}, line + "\\n", { maxBytes: 100_000, files: 20 })
    }`
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" }),
  )
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as number))

  expect(codes).toEqual([0, 0, 0])
  const log = join(directory, "log")
  const texts = await Promise.all((await readdir(log)).map((name) => readFile(join(log, name), "utf8")))
  const lines = texts.flatMap((text) => text.split("\n").filter(Boolean))
  const seen = new Set(
    lines
      .map((line) => JSON.parse(line) as { pid: number; number: number })
      .map((each) => `${each.pid} ${each.number}`),
  )
  expect(seen.size).toBe(900)
})
