import { existsSync } from "node:fs"
import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { testContext } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"
import { displayName } from "./display-name.ts"
import { builtinTools, type BuiltinToolsOptions } from "./index.ts"
import { sessionRecord } from "./recall/session-record.ts"

const names = [
  "$(touch HIT)",
  "; touch HIT",
  "&& touch HIT",
  "| touch HIT",
  "`touch HIT`",
  "'; touch HIT; '",
  '"; touch HIT; "',
  "\ntouch HIT\n",
  "-rf",
  "--help",
  "--pre=touch HIT",
  "*",
  "[a-z]?{x,y}",
  "'quoted' \"names\"",
  "a\\b",
  "a\u001b]0;title\u0007b",
]

/** What a tool is called with for a file or directory of this name, and what tells that it did its work. */
interface Row {
  readonly call: (name: string) => object
  /** Is it about a directory of that name, which holds `a.txt`? */
  readonly isDirectory?: true
  /** Part of its output. Absent: it is no tool for files, and whatever it answers, nothing else happens. */
  readonly output?: (name: string) => string
  /** What the file holds after it; absent: what it held before. */
  readonly after?: string
  /** Names that cannot be said to it. */
  readonly cannot?: RegExp
}

const edits = [{ oldString: "needle", newString: "thread" }]
const rows: Readonly<Record<string, Row>> = {
  apply_patch: {
    call: (name) => ({ patchText: `*** Begin Patch\n*** Update File: ${name}\n-needle\n+thread\n*** End Patch` }),
    output: () => "Success.",
    after: "thread\n",
    cannot: /\n/,
  },
  bash: { call: (name) => ({ command: "ls", workdir: name }), isDirectory: true, output: () => "a.txt" },
  bash_kill: { call: (name) => ({ jobID: name }) },
  bash_output: { call: (name) => ({ jobID: name, filter: name }) },
  edit: { call: (name) => ({ filePath: name, ...edits[0] }), output: () => "Edit applied", after: "thread\n" },
  glob: {
    call: (name) => ({ pattern: "*.txt", path: name }),
    isDirectory: true,
    output: (name) => `${displayName(name)}/a.txt`,
  },
  grep: {
    call: (name) => ({ pattern: "needle", path: name }),
    output: (name) => `${displayName(name)}:\n  Line 1: needle`,
  },
  list: { call: (name) => ({ path: name, ignore: [name] }), isDirectory: true, output: (name) => displayName(name) },
  multiedit: { call: (name) => ({ filePath: name, edits }), output: () => "1 edit applied", after: "thread\n" },
  plan_exit: { call: (name) => ({ plan: name }) },
  question: {
    call: (name) => ({ questions: [{ question: name, header: name, options: [{ label: name, description: name }] }] }),
  },
  read: { call: (name) => ({ filePath: name }), output: () => "1: needle" },
  recall: { call: (name) => ({ query: name }) },
  skill: { call: (name) => ({ name }) },
  task: { call: (name) => ({ description: name, prompt: name, subagent_type: name }) },
  todoread: { call: () => ({}) },
  todowrite: { call: (name) => ({ todos: [{ content: name, status: "pending", priority: "low" }] }) },
  webfetch: { call: (name) => ({ url: `http://127.0.0.1:1/${name}`, format: "text" }) },
  write: { call: (name) => ({ filePath: name, content: "thread\n" }), output: () => "Wrote file", after: "thread\n" },
}

const options: BuiltinToolsOptions = {
  agents: [{ name: "general" }],
  asks: true,
  record: sessionRecord(memoryStorage()),
  skills: [{ name: "one", description: "One.", file: "/nowhere/SKILL.md", content: "" }],
  todos: () => Promise.resolve([]),
}

it("has a row for every tool that can be offered", () => {
  expect(Object.keys(rows).toSorted()).toEqual(builtinTools(options).map(({ name }) => name))
})

it.each(Object.entries(rows))("%s takes names for names, whatever a shell would make of them", async (tool, row) => {
  for (const name of names) {
    const directory = await testDirectory(row.isDirectory ? {} : { [name]: "needle\n" })
    if (row.isDirectory) {
      await mkdir(join(directory, name))
      await testTools(join(directory, name)).run("write", { filePath: "a.txt", content: "needle\n" })
    }
    // Asking and delegating is refused in this context, and there are no jobs, skills or servers.
    const running = testTools(directory, options).run(tool, row.call(name), testContext(directory))
    const result = await running.catch((error: unknown) => error as Error)
    const isExpected = row.output && !row.cannot?.test(name)

    if (isExpected) {
      const output = expect.stringContaining(row.output(name)) as string
      expect({ name, result }).toMatchObject({ name, result: { output } })
    }
    const file = row.isDirectory ? join(directory, name, "a.txt") : join(directory, name)
    expect({ entries: await readdir(directory), content: await readFile(file, "utf8") }).toEqual({
      entries: [name],
      content: (isExpected && row.after) || "needle\n",
    })
    expect(existsSync("HIT")).toBe(false)
  }
})
