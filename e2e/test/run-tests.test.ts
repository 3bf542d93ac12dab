import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const CONFIG = `export default { test: { projects: ["packages/*"] } }`
const HEAD = `import { it } from "vitest"\n`

/** A workspace of packages that have one test file each. */
function workspace(tests: Readonly<Record<string, string>>, config = CONFIG): string {
  const directory = mkdtempSync(join(tmpdir(), "run-tests-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  writeFileSync(join(directory, "vitest.config.mjs"), config)
  for (const [name, test] of Object.entries(tests)) {
    mkdirSync(join(directory, "packages", name), { recursive: true })
    writeFileSync(join(directory, "packages", name, "vitest.config.mjs"), "export default {}")
    writeFileSync(join(directory, "packages", name, "a.test.mjs"), HEAD + test)
  }
  return directory
}

async function run(directory: string): Promise<{ code: number; last: readonly string[] }> {
  const { PATH, ...environment } = process.env
  const env = { ...environment, PATH: [join(root, "node_modules", ".bin"), PATH].join(delimiter) }
  const { promise, resolve } = Promise.withResolvers<{ code: number; last: readonly string[] }>()
  const program = [join(root, "scripts", "run-tests.mjs")]
  const child = execFile(process.execPath, program, { cwd: directory, env }, (_error, stdout) => {
    const lines = stdout.trimEnd().split("\n")
    resolve({ code: child.exitCode ?? -1, last: lines.slice(lines.findLastIndex((line) => line === "") + 1) })
  })
  return promise
}

const PASSES = `it("passes", () => {})\n`
const FAILS = `it("fails", () => { throw new Error("no") })\n`

it("ends with the counts of all packages", async () => {
  const directory = workspace({
    one: `${PASSES}it.skip("is skipped", () => {})`,
    two: `${PASSES}it.todo("is to come")`,
  })

  expect(await run(directory)).toEqual({ code: 0, last: ["2 passed, 0 failed, 2 skipped"] })
})

it("runs the tests of every package after one has failed, and names each failed file", async () => {
  const directory = workspace({ one: PASSES + FAILS, three: PASSES, two: `import "./missing.mjs"\n${PASSES}` })

  expect(await run(directory)).toEqual({
    code: 1,
    last: ["FAILED packages/one/a.test.mjs", "FAILED packages/two/a.test.mjs", "2 passed, 2 failed, 0 skipped"],
  })
})

it("counts as failed what fails outside of the tests", async () => {
  const directory = workspace({
    one: `${PASSES}setTimeout(() => { throw new Error("late") })\nit("waits", async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
  })`,
  })

  expect(await run(directory)).toEqual({
    code: 1,
    last: ["FAILED outside of the tests; see above", "2 passed, 1 failed, 0 skipped"],
  })
})

it("counts as failed a run that ends without results", async () => {
  const directory = workspace({ one: PASSES }, "process.exit(3)")

  expect(await run(directory)).toEqual({ code: 3, last: ["FAILED vitest ended without results (exit code 3)"] })
})
