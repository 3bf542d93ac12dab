import { existsSync } from "node:fs"
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { overtime } from "../../test/overtime.ts"
import { processesWith } from "../../test/processes.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"
import type { BuiltinToolsOptions } from "../builtin-tools.ts"
import { createAfterEdit } from "./after-edit.ts"
import type { ConfiguredProgram } from "./configured-program.ts"

/** A program of Node: `script` finds what follows `$FILE` in `process.argv` from 1 on. */
function program(name: string, script: string, changes: Partial<ConfiguredProgram> = {}): ConfiguredProgram {
  const command = [process.execPath, "--eval", script, "--", "$FILE"]
  return { name, command, extensions: [".txt"], ...changes }
}

const read = 'const fs = require("node:fs"); const path = process.argv[1]; const text = fs.readFileSync(path, "utf8");'
const upper = program("upper", `${read} fs.writeFileSync(path, text.toUpperCase())`)
const fault = program(
  "lint",
  `${read} console.log(path + ": " + text.trim()); process.exit(text.includes("bad") ? 3 : 0)`,
)

async function toolsIn(afterEdit: BuiltinToolsOptions["afterEdit"] & object, files: Record<string, string> = {}) {
  const directory = await testDirectory(files)
  return { directory, tools: testTools(directory, { afterEdit }), context: testContext(directory) }
}

it("formats what was written: the record, the diff and the session's version are those of the formatted file", async () => {
  const { directory, tools, context } = await toolsIn({ formatters: [upper] }, { "a.txt": "one\n" })
  const { output, metadata } = await tools.run("write", { filePath: "a.txt", content: "two\n" }, context)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("TWO\n")
  expect(output).toBe(
    `Wrote file successfully.\n${directory}/a.txt was formatted by upper: read it again before you edit it.`,
  )
  expect(metadata).toMatchObject({ diff: expect.stringContaining("-one\n+TWO\n"), hash: sha256("TWO\n") })
  expect(context.images.map(({ bytes }) => bytes && Buffer.from(bytes).toString())).toEqual(["one\n", "TWO\n"])
  const again = await tools.run("edit", { filePath: "a.txt", oldString: "TWO", newString: "three" }, context)
  expect(again.output).not.toContain("had changed")
})

it("formats after each tool that changes files, and runs nothing for files that a formatter is not for", async () => {
  const { directory, tools } = await toolsIn({ formatters: [upper] }, { "a.txt": "one\n", "b.txt": "one\n" })
  await tools.run("multiedit", { filePath: "a.txt", edits: [{ oldString: "one", newString: "two" }] })
  const lines = ["*** Update File: b.txt", "-one", "+two", "*** Add File: c.md", "+two"]
  await tools.run("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
  const texts = ["a.txt", "b.txt", "c.md"].map((name) => readFile(join(directory, name), "utf8"))
  expect(await Promise.all(texts)).toEqual(["TWO\n", "TWO\n", "two\n"])
})

it("runs formatters in their order, in the worktree, with the environment of children and their own", async () => {
  process.env["PAWL_TEST_SECRET"] = "secret"
  const told = "[process.cwd(), process.env.MODE, process.env.PAWL_TEST_SECRET, process.env.LANG].join()"
  const tell = program("tell", `${read} fs.writeFileSync(path, text + ${told})`, { environment: { MODE: "quick" } })
  const { directory, tools } = await toolsIn({ formatters: [upper, tell] })
  await tools.run("write", { filePath: "sub/a.txt", content: "one\n" })
  expect(await readFile(join(directory, "sub/a.txt"), "utf8")).toBe(`ONE\n${directory},quick,,C.UTF-8`)
  delete process.env["PAWL_TEST_SECRET"]
})

it.each([
  [
    "fails",
    program("broken", `${read} fs.writeFileSync(path, "half"); console.error("why"); process.exit(2)`),
    "failed with exit code 2; the file is as it was written.\nwhy",
  ],
  [
    "removes the file",
    program("broken", `${read} fs.unlinkSync(path)`),
    "removed the file; the file is as it was written.",
  ],
  ["is ended", program("broken", 'process.kill(process.pid, "SIGKILL")'), "was ended by a signal"],
  [
    "is missing",
    { name: "broken", command: ["/nowhere/format", "$FILE"], extensions: ["txt"] },
    'could not be started: there is no program "/nowhere/format"',
  ],
  [
    "hangs",
    program("broken", `${read} fs.writeFileSync(path, "half"); setInterval(() => {}, 1000)`, { timeout: 300 }),
    "did not end within 0.3 s and was stopped",
  ],
])("keeps the edit, as it was written, where a formatter %s", async (_, formatter, note) => {
  const { directory, tools, context } = await toolsIn({ formatters: [formatter] }, { "a.txt": "one\n" })
  await chmod(join(directory, "a.txt"), 0o640)
  const { output } = await tools.run("edit", { filePath: "a.txt", oldString: "one", newString: "two" }, context)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("two\n")
  expect((await stat(join(directory, "a.txt"))).mode & 0o777).toBe(0o640)
  expect(output).toContain(`Edit applied successfully.\nThe formatter broken ${note}`)
  expect(context.images.at(-1)?.bytes).toEqual(Buffer.from("two\n"))
  expect(await readdir(directory)).toEqual(["a.txt"])
})

it("tells the model what a check finds, and nothing where it finds nothing", async () => {
  const { directory, tools } = await toolsIn({ checks: [fault] })
  const bad = await tools.run("write", { filePath: "a.txt", content: "bad\n" })
  expect(bad.output).toBe(
    `Wrote file successfully.\n<diagnostics>\nlint of ${directory}/a.txt failed with exit code 3\n${directory}/a.txt: bad\n</diagnostics>`,
  )
  expect((await tools.run("write", { filePath: "a.txt", content: "good\n" })).output).toBe("Wrote file successfully.")
})

it("checks what the formatters made, and a patch once all of its files are written", async () => {
  const all =
    "require('node:fs').readdirSync('.').map((name) => name + '=' + require('node:fs').readFileSync(name, 'utf8').trim())"
  const project: ConfiguredProgram = {
    ...{ name: "project", extensions: ["txt"] },
    command: [process.execPath, "--eval", `console.log(${all}.join()); process.exit(1)`],
  }
  const { directory, tools } = await toolsIn({ formatters: [upper], checks: [project, fault] }, { "gone.txt": "x" })
  const lines = ["*** Add File: a.txt", "+one", "*** Add File: b.txt", "+two", "*** Delete File: gone.txt"]
  const { output } = await tools.run("apply_patch", {
    patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
  })
  expect(output.split("<diagnostics>")).toHaveLength(2)
  expect(output).toContain("project failed with exit code 1\na.txt=ONE,b.txt=TWO\n</diagnostics>")
  expect(await readdir(directory)).toEqual(["a.txt", "b.txt"])
})

it("shows the end of a long complaint, without the terminal's colours", async () => {
  const script =
    'for (let i = 1; i <= 5000; i++) console.log("\\u001B[31mfault " + i + "\\u001B[0m"); process.exitCode = 1'
  const { tools } = await toolsIn({ checks: [program("lint", script)] })
  const { output } = await tools.run("write", { filePath: "a.txt", content: "x" })
  expect(output).toContain("\nfault 5000\n</diagnostics>")
  expect(output.length).toBeLessThan(10_000)
  expect(output).not.toContain("\u001B")
})

it("says of a check that does not end, or cannot begin, that it told nothing", async () => {
  const late = program("late", "setInterval(() => {}, 1000)", { timeout: 200 })
  const missing = { name: "missing", command: ["pawl-no-such-program"], extensions: ["txt"] }
  const { directory, tools } = await toolsIn({ checks: [late, missing] })
  const { output } = await tools.run("write", { filePath: "a.txt", content: "x" })
  expect(output).toContain(`The check late of ${directory}/a.txt did not end within 0.2 s and was stopped.`)
  expect(output).toContain('The check missing could not be started: there is no program "pawl-no-such-program".')
})

it("ends a late program with what it started", async () => {
  const command = ["sh", "-c", "sleep 300 & echo $! > pid; wait"]
  const { directory, tools } = await toolsIn({ checks: [{ name: "late", command, extensions: [], timeout: 300 }] })
  await overtime(() => tools.run("write", { filePath: "a.txt", content: "x" }), 300, join(directory, "pid"))
  // Children are told apart by their home.
  await expect.poll(() => processesWith(`HOME=${directory}`)).toEqual([])
})

it("ends with the call, and leaves a whole file behind", async () => {
  const slow = program(
    "slow",
    `${read} fs.writeFileSync(path, "half"); fs.writeFileSync("begun", ""); setInterval(() => {}, 1000)`,
  )
  const { directory, tools } = await toolsIn({ formatters: [slow] })
  const controller = new AbortController()
  const context = testContext(directory, { signal: controller.signal })
  const writing = tools.run("write", { filePath: "a.txt", content: "whole" }, context)
  const outcome = writing.catch((error: unknown) => error)
  await expect.poll(() => existsSync(join(directory, "begun"))).toBe(true)
  controller.abort(new Error("No more."))
  expect(await outcome).toMatchObject({ message: "No more." })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("whole")
  expect(context.images.at(-1)).toMatchObject({ side: "after", bytes: Buffer.from("whole") })
})

it.each([
  "$(touch HIT).txt",
  "; touch HIT;.txt",
  "`touch HIT`.txt",
  "-rf.txt",
  "--help.txt",
  "$FILE.txt",
  "new\nline.txt",
  "'\".txt",
  "$&.txt",
])("hands over %j as one argument", async (name) => {
  const { directory, tools } = await toolsIn({ formatters: [upper], checks: [fault] })
  const { output } = await tools.run("write", { filePath: name, content: "one\n" })
  expect(output).toContain("was formatted by upper")
  expect(await readFile(join(directory, name), "utf8")).toBe("ONE\n")
  expect(await readdir(directory)).toEqual([name])
})

it("runs its programs in the sandbox where there is one", async () => {
  const directory = await testDirectory()
  const wrapped: (readonly string[])[] = []
  const sandbox = {
    temporary: { outside: directory, inside: directory },
    env: { MODE: "inside" },
    wrap: async (argv: readonly string[], { cwd }: { readonly cwd: string }) => {
      wrapped.push([cwd, ...argv])
      return argv
    },
    watch: async () => async () => [],
    close: async () => undefined,
  }
  const target = join(directory, "a.txt")
  await writeFile(target, "x")
  const tell = program("tell", `${read} fs.writeFileSync(path, process.env.MODE)`)
  const { formatAndCheck } = createAfterEdit({ formatters: [tell] }, { sandbox })
  await formatAndCheck({ path: target, shown: target, target }, testContext(directory))
  expect(await readFile(target, "utf8")).toBe("inside")
  expect(wrapped).toEqual([[directory, ...tell.command.slice(0, -1), target]])
})

it("refuses a program without a command when the tools are made", () => {
  expect(() => createAfterEdit({ checks: [{ name: "lint", command: [], extensions: [] }] })).toThrow(
    '"lint", which is to run after edits, has no command.',
  )
})

it("lets a program without a limit take its time, and one with a very long limit as well", async () => {
  for (const timeout of [0, 2 ** 40]) {
    const slow = { ...fault, timeout }
    const { tools } = await toolsIn({ checks: [slow] })
    const { output } = await tools.run("write", { filePath: "a.txt", content: "bad\n" })
    expect(output).toContain("failed with exit code 3")
  }
})
