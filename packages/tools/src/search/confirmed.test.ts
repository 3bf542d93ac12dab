import { chmod, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import { confirmedMatches, confirmedPaths } from "./confirmed.ts"

async function scene() {
  const outside = await testDirectory({ "a.txt": "secret\n" })
  const directory = await testDirectory({
    ...{ "a.txt": "one\ntwo\r\n", "d/a.txt": "\uFEFFone\n" },
    ...{ "d/wide.txt": Buffer.from("\uFEFFone\ntwo\n", "utf16le"), "d/latin.txt": Buffer.from("caf\xe9\n", "latin1") },
  })
  await symlink(outside, join(directory, "link"))
  await symlink(join(outside, "a.txt"), join(directory, "file"))
  return { directory, outside }
}

it("keeps the matches whose lines are in the files of the project", async () => {
  const { directory } = await scene()
  const match = (path: string, line: number, text: string) => ({ path, line, text, column: 0 })
  const real = [
    ...[match("a.txt", 1, "one"), match("a.txt", 2, "two"), match("d/a.txt", 1, "one")],
    ...[match("d/latin.txt", 1, "caf\uFFFD"), match("d/wide.txt", 2, "two")],
  ]
  const others = [
    ...[match("link/a.txt", 1, "secret"), match("file", 1, "secret"), match("d/../link/a.txt", 1, "secret")],
    ...[match("a.txt", 2, "one"), match("a.txt", 3, "three"), match("none/a.txt", 1, "one"), match("d", 1, "")],
  ]
  expect(await confirmedMatches(directory, [...real, ...others])).toEqual(real)
  const paths = ["a.txt", "link/a.txt", "file", "none.txt"]
  expect(await confirmedPaths(directory, paths)).toEqual(["a.txt", "file"])
})

it.runIf(process.platform !== "win32")("shows nothing of what a search found behind a link", async () => {
  const { directory, outside } = await scene()
  // Searches as if `link` had been a directory of the project when it was listed.
  const program = join(outside, "rg")
  await writeFile(
    program,
    `#!/bin/sh\ncase "$*" in *--files*) printf './a.txt\\0./link/a.txt\\0';; *) printf './a.txt\\0001:1:one\\n./link/a.txt\\0001:1:secret\\n';; esac\n`,
  )
  await chmod(program, 0o755)
  const tools = testTools(directory, { ripgrep: async () => program })
  const { output } = await tools.run("grep", { pattern: "." })
  expect(output).toContain("Line 1: one")
  expect(output).toContain("changed during the search")
  for (const name of ["glob", "list"]) expect((await tools.run(name, { pattern: "*" })).output).not.toContain("link")
  expect(output).not.toContain("secret")
})
