import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { bypasses, everyday } from "@pawl/shell-corpus"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createToolPaths } from "../tool-paths.ts"
import { commandNeeds } from "./command-needs.ts"

async function unclearOf(command: string, directory: string): Promise<string | undefined> {
  const place = { directory, worktree: directory, cwd: directory, paths: createToolPaths() }
  return (await commandNeeds(command, place)).find(({ unclear }) => unclear !== undefined)?.unclear
}

async function circles(): Promise<string> {
  const directory = await testDirectory({ "a.txt": "", "sub/b.txt": "" })
  for (const name of ["circle", "lock", "out", "src"]) await symlink(name, join(directory, name))
  return directory
}

it.each([
  ...[
    "cat circle",
    "cat circle/x",
    "rm c*",
    "cat c*/x",
    "touch circle/new",
    "cd circle && ls",
    "ls | xargs cat circle",
  ],
  ...[`cat ${"a/".repeat(2500)}b`, `rm ${"a".repeat(5000)}*`, "grep -R x circle"],
])("takes %.40j for unclear, whose links or names the system does not follow", async (command) => {
  expect(await unclearOf(command, await circles())).toMatch(/links|longer|too many|not known/)
})

it("judges every command of the corpora where links lead in a circle, and never fails", async () => {
  const directory = await circles()
  const commands = [...bypasses, ...everyday].map(({ command }) => command)
  const judged = await Promise.all(commands.map((command) => unclearOf(command, directory)))
  expect(judged).toHaveLength(commands.length)
})
