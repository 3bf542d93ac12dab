import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"
import { displayName } from "./display-name.ts"

/** Names that mean something to a shell, to an option parser, to a glob or to a reader of lines. */
const names = [
  "$(touch HIT)",
  "; touch HIT",
  "`touch HIT`",
  "| touch HIT #",
  "-rf",
  "--files",
  "--pre=touch",
  "new\nline",
  "tab\tand space ",
  "caf\u00e9",
  "cafe\u0301",
  "[a-z]*?{x,y}",
  "!not",
  "#hash",
  "\"quoted\" and 'quoted'",
  "back\\slash",
  "~",
]

it.each(names)("a file named %j goes through every tool without effect", async (name) => {
  const directory = await testDirectory()
  const tools = testTools(directory)
  const path = join(directory, name)

  await tools.run("write", { filePath: name, content: "needle\n" })
  expect(await readdir(directory)).toEqual([name])
  expect((await tools.run("read", { filePath: name })).output).toContain("1: needle")
  await tools.run("edit", { filePath: name, oldString: "needle", newString: "needles" })
  expect(await readFile(path, "utf8")).toBe("needles\n")

  const shown = displayName(path)
  expect((await tools.run("glob", { pattern: "**/*" })).output).toBe(shown)
  expect((await tools.run("grep", { pattern: "needles" })).output).toContain(`${shown}:\n  Line 1: needles`)
  expect((await tools.run("grep", { pattern: "needles", path: name })).output).toContain(`${shown}:\n  Line 1`)
  expect((await tools.run("list", {})).output).toBe(`${directory}/\n  ${displayName(name)}`)

  expect(await readdir(directory)).toEqual([name])
  expect(existsSync("HIT")).toBe(false)
})

it.each(names)("a directory named %j goes through every tool without effect", async (name) => {
  const directory = await testDirectory({ [join(name, "a.txt")]: "needle\n" })
  const tools = testTools(directory)
  const shown = displayName(join(directory, name))
  expect((await tools.run("read", { filePath: name })).output).toContain("a.txt")
  expect((await tools.run("glob", { pattern: "*.txt", path: name })).output).toBe(`${shown}/a.txt`)
  expect((await tools.run("grep", { pattern: "needle", path: name })).output).toContain(`${shown}/a.txt:`)
  expect((await tools.run("list", { path: name })).output).toBe(`${shown}/\n  a.txt`)
  expect((await tools.run("bash", { command: "ls", workdir: name })).output).toBe("a.txt")
  expect(await readdir(directory)).toEqual([name])
})

it.each(names)("patterns such as %j are only patterns", async (pattern) => {
  const directory = await testDirectory({ "a.txt": "text\n" })
  const tools = testTools(directory)
  // Some are no valid regular expression: that is an error in words, not an effect.
  await tools.run("grep", { pattern, include: pattern }).catch(() => undefined)
  await tools.run("glob", { pattern }).catch(() => undefined)
  await tools.run("list", { ignore: [pattern] }).catch(() => undefined)
  expect(await readdir(directory)).toEqual(["a.txt"])
})

it("keeps two names apart that only look the same", async () => {
  const directory = await testDirectory()
  const tools = testTools(directory)
  await writeFile(join(directory, "caf\u00e9"), "composed")
  await writeFile(join(directory, "cafe\u0301"), "decomposed")
  expect((await tools.run("read", { filePath: "cafe\u0301" })).output).toContain("1: decomposed")
  expect((await tools.run("read", { filePath: "caf\u00e9" })).output).toContain("1: composed")
})
