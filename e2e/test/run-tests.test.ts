import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import manifest from "../../package.json" with { type: "json" }

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

/** A workspace of packages whose tests are these programs. */
function workspace(programs: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), "run-tests-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const write = (name: string, value: unknown) => {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), typeof value === "string" ? value : JSON.stringify(value))
  }
  write("package.json", { name: "sample", private: true, packageManager: manifest.packageManager })
  write("pnpm-workspace.yaml", "packages: [packages/*]\npmOnFail: ignore\n")
  write("turbo.json", { tasks: { test: { inputs: ["test.mjs"], outputs: [".turbo/tests.json"] } } })
  for (const [name, program] of Object.entries(programs)) {
    write(`packages/${name}/package.json`, { name, scripts: { test: "node test.mjs" } })
    write(`packages/${name}/test.mjs`, program)
  }
  return directory
}

interface File {
  readonly name: string
  readonly status: "passed" | "failed"
  readonly assertionResults: readonly { readonly status: string }[]
}

/** What vitest leaves behind after these tests. */
function results(counts: { passed: number; failed?: number; skipped?: number; todo?: number; files?: File[] }): string {
  const { passed, failed = 0, skipped = 0, todo = 0, files = [] } = counts
  const text = JSON.stringify({
    ...{ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: todo },
    testResults: files.map((file) => ({ ...file, name: `/sample/${file.name}` })),
  })
  return `
    import { mkdirSync, writeFileSync } from "node:fs"
    mkdirSync(".turbo", { recursive: true })
    const text = ${JSON.stringify(text)}.replaceAll("/sample", process.cwd())
    writeFileSync(".turbo/tests.json", text)
    process.exitCode = ${files.some(({ status }) => status === "failed") ? 1 : 0}\n`
}

async function run(directory: string): Promise<{ code: number; last: readonly string[] }> {
  const { PATH, ...environment } = process.env
  const env = { ...environment, PATH: [join(root, "node_modules", ".bin"), PATH].join(delimiter) }
  const { promise, resolve } = Promise.withResolvers<{ code: number; last: readonly string[] }>()
  const program = [join(root, "scripts", "run-tests.mjs"), "--no-update-notifier"]
  const child = execFile(process.execPath, program, { cwd: directory, env }, (_error, stdout) => {
    const lines = stdout.trimEnd().split("\n")
    const from = lines.findLastIndex((line) => line.includes("unchanged since they passed"))
    resolve({ code: child.exitCode ?? -1, last: lines.slice(from) })
  })
  return promise
}

it("ends with the counts of all packages, also of those that are unchanged since they passed", async () => {
  const directory = workspace({
    one: results({ passed: 3, skipped: 1 }),
    two: results({ passed: 4, todo: 1 }),
  })

  const first = {
    code: 0,
    last: ["2 packages, 0 of them unchanged since they passed", "7 passed, 0 failed, 2 skipped"],
  }
  expect(await run(directory)).toEqual(first)
  expect(await run(directory)).toEqual({
    ...first,
    last: ["2 packages, 2 of them unchanged since they passed", first.last[1]],
  })
})

it("runs the tests of every package after one has failed, and names each failed file", async () => {
  const failing = { name: "src/b.test.ts", status: "failed", assertionResults: [{ status: "failed" }] } as const
  const unloaded = { name: "src/c.test.ts", status: "failed", assertionResults: [] } as const
  const directory = workspace({
    one: results({ passed: 1, failed: 2, files: [failing] }),
    three: results({ passed: 5, files: [{ ...failing, status: "passed", assertionResults: [] }] }),
    two: results({ passed: 3, files: [unloaded] }),
  })

  expect(await run(directory)).toEqual({
    code: 1,
    last: [
      "3 packages, 0 of them unchanged since they passed",
      "FAILED packages/one/src/b.test.ts",
      "FAILED packages/two/src/c.test.ts",
      "9 passed, 3 failed, 0 skipped",
    ],
  })
})

it("counts as failed what ends without results, and what fails outside of its tests", async () => {
  const directory = workspace({
    one: results({ passed: 2 }),
    three: `${results({ passed: 2 })} process.exitCode = 1`,
    two: "process.exit(1)",
  })

  expect(await run(directory)).toEqual({
    code: 1,
    last: [
      "3 packages, 0 of them unchanged since they passed",
      "FAILED three, outside of its tests",
      "FAILED two ended without results",
      "4 passed, 2 failed, 0 skipped",
    ],
  })
})
