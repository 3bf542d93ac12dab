import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { addNote } from "./add-note.ts"
import { noteFiles } from "./note-files.ts"
import { notedText } from "./noted-text.ts"

async function newDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-notes-")))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

describe("the text with a note", () => {
  it.each([
    ["", "## Notes\n\n- x\n"],
    ["# Title\n", "# Title\n\n## Notes\n\n- x\n"],
    ["# Title", "# Title\n\n## Notes\n\n- x\n"],
    ["# Title\r\nText\r\n", "# Title\r\nText\r\n\r\n## Notes\r\n\r\n- x\r\n"],
    ["## Notes\n\n- a\n", "## Notes\n\n- a\n- x\n"],
    ["## Notes\n", "## Notes\n\n- x\n"],
    ["## Notes\n\n- a\n\n## Next\n\nText\n", "## Notes\n\n- a\n- x\n\n## Next\n\nText\n"],
    ["## Notes\n\n- a\n\n### Sub\n\n- b\n", "## Notes\n\n- a\n\n### Sub\n\n- b\n- x\n"],
    ["```\n## Notes\n```\n", "```\n## Notes\n```\n\n## Notes\n\n- x\n"],
    ["\uFEFF# Title\n", "\uFEFF# Title\n\n## Notes\n\n- x\n"],
    ["\uFEFF## Notes\n\n- a\n", "\uFEFF## Notes\n\n- a\n- x\n"],
    ["A\nB\r\nC\n", "A\nB\r\nC\n\n## Notes\n\n- x\n"],
    ["## Notes\r\n\r\n- a\r\n\n## B\nC", "## Notes\r\n\r\n- a\r\n- x\r\n\n## B\nC"],
    ["## Notes", "## Notes\n\n- x\n"],
  ])("of %j is %j", (before, after) => {
    expect(notedText(before, "x")).toBe(after)
  })

  it("indents the further lines of a note", () => {
    expect(notedText("", "one\n\ntwo")).toBe("## Notes\n\n- one\n\n  two\n")
  })

  it("has nothing of a note that a terminal would obey", () => {
    expect(notedText("", "a\u001B[31mb\0\r\nc\rd")).toBe("## Notes\n\n- ab\n  c\n  d\n")
  })
})

describe("the files for notes", () => {
  async function places() {
    const root = await newDirectory()
    const [worktree, configDirectory, home] = [join(root, "project"), join(root, "config"), join(root, "home")]
    for (const each of [join(worktree, "packages/a"), configDirectory, home]) await mkdir(each, { recursive: true })
    return { root, worktree, home, configDirectory, directory: join(worktree, "packages/a") }
  }

  it("are those that are read, and new ones if there is none", async () => {
    const { worktree, configDirectory, ...all } = await places()

    expect(await noteFiles({ ...all, worktree, configDirectory }, { ...all, environment: {} })).toEqual([
      { path: join(worktree, "AGENTS.md"), owner: "project", isNew: true, within: worktree },
      { path: join(configDirectory, "AGENTS.md"), owner: "user", isNew: true },
    ])
  })

  it("keep the name that is in use, and list the nearest file first", async () => {
    const { worktree, directory, home, configDirectory } = await places()
    await writeFile(join(worktree, "CLAUDE.md"), "x\n")
    await writeFile(join(directory, "CLAUDE.md"), "x\n")
    await mkdir(join(home, ".claude"))
    await writeFile(join(home, ".claude/CLAUDE.md"), "x\n")

    const files = await noteFiles({ worktree, directory, configDirectory }, { home, environment: {} })

    expect(files.map(({ path }) => path)).toEqual([
      join(directory, "CLAUDE.md"),
      join(worktree, "CLAUDE.md"),
      join(home, ".claude/CLAUDE.md"),
    ])
  })
})

describe("adding a note", () => {
  it("makes a missing file and its directory", async () => {
    const path = join(await newDirectory(), "config", "AGENTS.md")

    await addNote({ path }, "Use tabs")

    expect(await readFile(path, "utf8")).toBe("## Notes\n\n- Use tabs\n")
  })

  it("keeps all of the notes that are added at the same time", async () => {
    const path = join(await newDirectory(), "AGENTS.md")
    const notes = Array.from({ length: 8 }, (_, at) => `note ${at}`)

    await Promise.all(notes.map((note) => addNote({ path }, note)))

    expect((await readFile(path, "utf8")).split("\n").slice(2, -1).toSorted()).toEqual(notes.map((note) => `- ${note}`))
  })

  it("keeps the mode, and leaves no other file", async () => {
    const directory = await newDirectory()
    const path = join(directory, "AGENTS.md")
    await writeFile(path, "# A\n")
    await chmod(path, 0o666)

    await addNote({ path, within: directory }, "Use tabs")

    expect(await readFile(path, "utf8")).toBe("# A\n\n## Notes\n\n- Use tabs\n")
    expect((await stat(path)).mode & 0o777).toBe(0o666)
    expect(await readdir(directory)).toEqual(["AGENTS.md"])
  })

  it("follows links in the project, and refuses those that leave it", async () => {
    const directory = await newDirectory()
    const outside = join(await newDirectory(), "outside.md")
    await writeFile(outside, "secret\n")
    await writeFile(join(directory, "inside.md"), "")
    await symlink("inside.md", join(directory, "AGENTS.md"))
    await symlink(outside, join(directory, "CLAUDE.md"))
    await symlink("nothing.md", join(directory, "CONTEXT.md"))
    const add = (name: string) => addNote({ path: join(directory, name), within: directory }, "x")

    await add("AGENTS.md")
    await expect(add("CLAUDE.md")).rejects.toThrow(/CLAUDE\.md is a link out of the project, to .*outside\.md\./)
    await expect(add("CONTEXT.md")).rejects.toThrow("leads to nothing")

    expect(await readFile(join(directory, "inside.md"), "utf8")).toBe("## Notes\n\n- x\n")
    expect(await readFile(outside, "utf8")).toBe("secret\n")
  })

  it.each([
    ["a directory", async (path: string) => mkdir(path), "not a regular file"],
    ["a large file", (path: string) => writeFile(path, "x".repeat(1024 ** 2 + 1)), "larger than 1 MiB"],
    ["a full file", (path: string) => writeFile(path, "x".repeat(1024 ** 2)), "would be larger"],
    ["bytes", (path: string) => writeFile(path, Buffer.from([0xff, 0xfe, 0x41])), "not a text in UTF-8"],
    ["zeros", (path: string) => writeFile(path, "a\0b"), "not a text in UTF-8"],
  ])("refuses %s", async (_name, make, problem) => {
    const directory = await newDirectory()
    const path = join(directory, "AGENTS.md")
    await make(path)

    await expect(addNote({ path, within: directory }, "x")).rejects.toThrow(problem)
  })
})
