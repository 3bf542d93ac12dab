import { chmod, mkdir } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { findShell, ShellUnavailableError } from "./find-shell.ts"

/** A directory with programs of these names. */
async function programs(...names: readonly string[]): Promise<string> {
  const directory = await testDirectory(Object.fromEntries(names.map((name) => [name, "#!/bin/true\n"])))
  for (const name of names) await chmod(join(directory, name), 0o755)
  return directory
}

it("is bash wherever on the PATH that is, and else sh", async () => {
  const [sh, both] = [await programs("sh"), await programs("sh", "bash")]
  expect(findShell(undefined, [sh, both].join(delimiter))).toEqual({ name: "bash", program: join(both, "bash") })
  expect(findShell(undefined, sh)).toEqual({ name: "sh", program: join(sh, "sh") })
  expect(findShell(undefined, "")).toEqual({ name: "sh", program: "sh" })
})

it("is the one that is asked for by its name or its path", async () => {
  const directory = await programs("zsh", "bash")
  expect(findShell("zsh", directory)).toEqual({ name: "zsh", program: join(directory, "zsh") })
  expect(findShell(join(directory, "bash"), "")).toEqual({ name: "bash", program: join(directory, "bash") })
})

it("is nothing that cannot be run, and nothing in a relative directory of the PATH", async () => {
  const directory = await testDirectory({ sh: "" })
  await mkdir(join(directory, "bash"))
  expect(findShell(undefined, directory)).toEqual({ name: "sh", program: "sh" })
  expect(findShell(undefined, "node_modules/.bin")).toEqual({ name: "sh", program: "sh" })
  expect(() => findShell(join(directory, "bash"), "")).toThrow("no such shell is there that can be run")
})

it.each(["fish", "/usr/bin/fish", "pwsh", "busybox", "node", "bash.exe", ""])(
  "refuses %j, and says what is possible",
  (asked) => {
    expect(() => findShell(asked, "/bin")).toThrow(ShellUnavailableError)
    expect(() => findShell(asked, "/bin")).toThrow("Use bash, zsh, dash or sh, or an absolute path to one.")
  },
)

it.each(["zsh", "./bash", "bin/bash", "/nowhere/bash"])("refuses %j where it is not there", (asked) => {
  expect(() => findShell(asked, "/nowhere")).toThrow("no such shell is")
})
