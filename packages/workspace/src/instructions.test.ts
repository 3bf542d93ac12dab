import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ReadRemote } from "./remote.ts"
import { loadInstructions } from "./instructions.ts"

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-instructions-")))
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}
const read = async (directory: string, worktree = "", files: string[] = []) => {
  const places = { directory: join(root, directory), worktree: join(root, worktree), files }
  const { instructions } = await loadInstructions(places)
  return instructions.map(({ path, text }) => `Instructions from: ${path}\n${text}`)
}
const block = (path: string, text: string) => `Instructions from: ${join(root, path)}\n${text}`

it("finds nothing where nothing is", async () => {
  expect(await read("")).toEqual([])
})

it("names the file and gives its text", async () => {
  await write("AGENTS.md", "\nUse tabs.\n\n")
  expect(await read("")).toEqual([block("AGENTS.md", "Use tabs.")])
})

it("reads every file on the way up to the worktree, outermost first", async () => {
  await write("app/AGENTS.md", "Of the worktree.")
  await write("app/src/deep/AGENTS.md", "Of the directory.")
  await write("AGENTS.md", "Beyond the worktree.")
  await write("app/other/AGENTS.md", "Beside the way.")

  expect(await read("app/src/deep", "app")).toEqual([
    block("app/AGENTS.md", "Of the worktree."),
    block("app/src/deep/AGENTS.md", "Of the directory."),
  ])
})

it.each([
  [["AGENTS.md", "CLAUDE.md", "CONTEXT.md"], "AGENTS.md"],
  [["CLAUDE.md", "CONTEXT.md"], "CLAUDE.md"],
  [["CONTEXT.md"], "CONTEXT.md"],
])("of %j reads %s alone, wherever on the way the others lie", async (names, first) => {
  for (const name of names) await write(`${name === first ? "" : "src/"}${name}`, `In ${name}.`)
  expect(await read("src")).toEqual([block(first, `In ${first}.`)])
})

it("passes over an empty file, as if it were not there", async () => {
  await write("AGENTS.md", " \n")
  await write("CLAUDE.md", "Use tabs.")
  expect(await read("")).toEqual([block("CLAUDE.md", "Use tabs.")])
})

it("passes over a directory of that name", async () => {
  await mkdir(join(root, "AGENTS.md"))
  expect(await read("")).toEqual([])
})

it.skipIf(process.platform === "win32")("waits for nobody who might write, and reads no device", async () => {
  await mkdir(join(root, "src"))
  execFileSync("mkfifo", [join(root, "AGENTS.md")])
  await symlink("/dev/zero", join(root, "src/AGENTS.md"))
  await write("CLAUDE.md", "Use tabs.")
  expect(await read("src")).toEqual([block("CLAUDE.md", "Use tabs.")])
})

it("follows a link to a file, and passes over one that leads nowhere", async () => {
  await write("docs/rules.md", "Use tabs.")
  await mkdir(join(root, "src"))
  await symlink("docs/rules.md", join(root, "AGENTS.md"))
  await symlink("missing.md", join(root, "src/AGENTS.md"))
  expect(await read("src")).toEqual([block("AGENTS.md", "Use tabs.")])
})

it("leaves out what a link of the project takes from beyond the worktree, but not what the user configured", async () => {
  const secret = await write("secret/AGENTS.md", "Secret.")
  await write("app/src/AGENTS.md", "Use tabs.")
  await symlink("../secret/AGENTS.md", join(root, "app/AGENTS.md"))
  await symlink("../secret", join(root, "app/linked"))
  await symlink(secret, join(root, "own.md"))

  expect(await read("app/src", "app")).toEqual([block("app/src/AGENTS.md", "Use tabs.")])
  expect(await read("app/linked", "app")).toEqual([])
  expect(await read("app", "app", [join(root, "own.md")])).toEqual([block("own.md", "Secret.")])
})

it.skipIf(process.platform === "win32" || process.getuid?.() === 0)("passes over what may not be read", async () => {
  await chmod(await write("AGENTS.md", "Secret."), 0o000)
  await write("CLAUDE.md", "Use tabs.")
  expect(await read("")).toEqual([block("CLAUDE.md", "Use tabs.")])
})

it("gives the first 1 MiB of a longer file, in whole characters, and says so", async () => {
  await write("AGENTS.md", `${"x".repeat(1_048_575)}é${"y".repeat(100)}`)
  await write("src/AGENTS.md", "z".repeat(1_048_576))
  expect(await read("src")).toEqual([
    block("AGENTS.md", `${"x".repeat(1_048_575)}\n\n(The file goes on: only its first 1 MiB is given here.)`),
    block("src/AGENTS.md", "z".repeat(1_048_576)),
  ])
})

it("adds further files in the order given, without those that are missing", async () => {
  await write("AGENTS.md", "Of the project.")
  const files = [await write("b.md", "Second."), join(root, "missing.md"), await write("a.md", "Third.")]

  expect(await read("", "", files)).toEqual([
    block("AGENTS.md", "Of the project."),
    block("b.md", "Second."),
    block("a.md", "Third."),
  ])
})

it("reads the same blocks each time, so that requests begin alike", async () => {
  await write("AGENTS.md", "Grüße, 世界 👋")
  expect(await read("")).toEqual(await read(""))
  expect(await read("")).toEqual([block("AGENTS.md", "Grüße, 世界 👋")])
})

it("gives a file once, under its first name, whatever links lead to it", async () => {
  const own = await write("own.md", "Use tabs.")
  await write("app/AGENTS.md", "Of the project.")
  await mkdir(join(root, "app/src"))
  await symlink("../AGENTS.md", join(root, "app/src/AGENTS.md"))
  await symlink("own.md", join(root, "again.md"))
  const files = [join(root, "app/AGENTS.md"), own, join(root, "again.md"), own]

  expect(await read("app/src", "app", files)).toEqual([
    block("app/AGENTS.md", "Of the project."),
    block("own.md", "Use tabs."),
  ])
})

describe("instructions from addresses", () => {
  const address = "https://rules.test/a.md"
  const load = (files: string[], readRemote: ReadRemote) => {
    return loadInstructions({ directory: root, worktree: root, files, readRemote })
  }

  it("stand where they were named, whichever comes first", async () => {
    const own = await write("own.md", "Own.")
    await write("AGENTS.md", "Of the project.")
    const readRemote: ReadRemote = async (path) => {
      if (path === address) await setTimeout(20)
      return { type: "read", instruction: { path, text: `At ${path}.` } }
    }

    const { instructions, notices } = await load([address, own, `${address}?b`, address], readRemote)

    expect(instructions).toEqual([
      { path: join(root, "AGENTS.md"), text: "Of the project." },
      { path: address, text: `At ${address}.` },
      { path: own, text: "Own." },
      { path: `${address}?b`, text: `At ${address}?b.` },
    ])
    expect(notices).toEqual([])
  })

  it("are left out with a notice where they cannot be read", async () => {
    const own = await write("own.md", "Own.")
    const failed: ReadRemote = async (path) => ({ type: "failed", notice: `Not ${path}.` })

    expect(await load([address, own, address], failed)).toEqual({
      instructions: [{ path: own, text: "Own." }],
      notices: [`Not ${address}.`],
    })
  })

  it("are waited for side by side", async () => {
    let waiting = 0
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const together: ReadRemote = async (path) => {
      if (++waiting === 3) resolve()
      await all
      return { type: "read", instruction: { path, text: "Text." } }
    }

    expect(
      (
        await load(
          ["a", "b", "c"].map((name) => `https://${name}.test`),
          together,
        )
      ).instructions,
    ).toHaveLength(3)
  })
})
