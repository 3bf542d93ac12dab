import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { instructionFiles } from "./instruction-files.ts"
import { readSettings } from "./settings.ts"

/** Creates a work tree with a directory in it, and the user's own directories. */
async function places() {
  const root = await temporaryDirectory()
  const [project, directory, own] = [join(root, "project"), join(root, "project/deep"), join(root, "own")]
  await Promise.all([mkdir(join(project, ".git"), { recursive: true }), mkdir(own)])
  await mkdir(directory)
  const environment: Record<string, string> = { PAWL_CONFIG_DIR: own, PAWL_DATA_DIR: join(root, "data") }
  const place = { root, project, directory, own, environment }
  return {
    ...place,
    files: async () => {
      return instructionFiles(await readSettings({ environment, home: root }, directory), root, environment)
    },
  }
}

const configure = (directory: string, ...instructions: string[]) => {
  return writeFile(join(directory, "pawl.jsonc"), JSON.stringify({ instructions }))
}
async function write(directory: string, ...paths: string[]): Promise<string[]> {
  const files = paths.map((path) => join(directory, path))
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, "Text.")
  }
  return files
}

describe("instruction files", () => {
  it("are the user's own, then those that the layers name, each relative to its file", async () => {
    const { root, project, own, files } = await places()
    await configure(own, "rules.md", "~/more.md")
    await configure(project, "docs/style.md")

    expect(await files()).toEqual([
      join(own, "AGENTS.md"),
      join(own, "rules.md"),
      join(root, "more.md"),
      join(project, "docs/style.md"),
    ])
  })

  it("of a project lie in its work tree, wherever links lead", async () => {
    const { root, project, files } = await places()
    await writeFile(join(root, "secret"), "hidden")
    await symlink(join(root, "secret"), join(project, "innocent.md"))
    await configure(project, "../secret", "innocent.md", join(root, "secret"), "~/secret", "fine.md")

    expect((await files()).slice(1)).toEqual([join(project, "fine.md")])
  })
})

describe("what the user has written for Claude Code", () => {
  it("stands in for instructions of their own, where there are none", async () => {
    const { root, own, files } = await places()
    expect(await files()).toEqual([join(own, "AGENTS.md")])

    const [claude] = await write(root, ".claude/CLAUDE.md")
    expect(await files()).toEqual([claude])

    const [agents] = await write(own, "AGENTS.md")
    expect(await files()).toEqual([agents])
  })

  it.each([
    ["PAWL_DISABLE_CLAUDE_CODE", "1"],
    ["PAWL_DISABLE_CLAUDE_CODE_PROMPT", "true"],
    ["OPENCODE_DISABLE_CLAUDE_CODE", "TRUE"],
    ["OPENCODE_DISABLE_CLAUDE_CODE_PROMPT", "1"],
  ])("is left alone with %s=%s", async (name, value) => {
    const { root, own, environment, files } = await places()
    const [claude] = await write(root, ".claude/CLAUDE.md")
    environment[name] = value
    expect(await files()).toEqual([join(own, "AGENTS.md")])

    for (const off of ["0", "false", ""]) {
      environment[name] = off
      expect(await files()).toEqual([claude])
    }
  })
})

describe("a pattern", () => {
  it("stands for files in the order of their paths, at its own place among the others", async () => {
    const { own, files } = await places()
    const found = await write(own, "rules/B.md", "rules/a.md", "rules/deep/c.md", "rules/z.md")
    await write(own, "rules/other.txt", "rules.md")
    await mkdir(join(own, "rules/directory.md"))
    await configure(own, "z.md", "rules/**/*.md", "a.md")

    expect((await files()).slice(1)).toEqual([join(own, "z.md"), ...found, join(own, "a.md")])
  })

  it("begins in the home directory, at an absolute path, or in a directory whose name looks like a pattern", async () => {
    const { root, project, own, environment, files } = await places()
    const [more, far] = await write(root, "notes/more.md", "far/[x]/rules.md")
    const [here] = await write(own, "[dir]/here.md")
    await configure(own, "~/notes/*.md", join(root, "far/*/rules.md"), "{[[]dir],none}/*.md")
    expect((await files()).slice(1)).toEqual([more, far, here])

    const odd = join(project, "[odd]")
    const [rules] = await write(odd, "rules/a.md")
    await configure(odd, "rules/*.md")
    environment["PAWL_CONFIG"] = join(odd, "pawl.jsonc")
    expect((await files()).at(-1)).toBe(rules)
  })

  it("is a file where one is called like it", async () => {
    const { own, files } = await places()
    const [page] = await write(own, "docs/[id].md", "docs/i.md")
    await configure(own, "docs/[id].md")

    expect((await files()).slice(1)).toEqual([page])
  })

  it("that fits nothing names nothing", async () => {
    const { own, files } = await places()
    await configure(own, "none/*.md", "/nowhere/at/all/**", "*/../*")

    expect(await files()).toEqual([join(own, "AGENTS.md")])
  })

  it("does not look into what is installed, unless it says so", async () => {
    const { own, files } = await places()
    const [mine, theirs] = await write(own, "a.md", "node_modules/them/b.md", "node_modules/them/a.md", ".git/a.md")
    await configure(own, "**/a.md", "node_modules/*/b.md")

    expect((await files()).slice(1)).toEqual([mine, theirs])
  })

  it("of a project stays in its work tree, wherever links lead", async () => {
    const { root, project, files } = await places()
    const [fine] = await write(project, "docs/fine.md")
    await write(root, "secret.md", "own/own.md")
    await symlink(join(root, "secret.md"), join(project, "docs/innocent.md"))
    await symlink(root, join(project, "linked"))
    await configure(project, "docs/*.md", "../*.md", "linked/*.md", "~/*.md", `${root}/*.md`, "*/../../*.md")

    expect((await files()).slice(1)).toEqual([fine])
  })

  it("of a project are not looked for beyond its work tree", async () => {
    const { project, own, files } = await places()
    await symlink("/", join(project, "link"))
    await write(project, "docs/a.md")
    await symlink("docs", join(project, "inside"))
    await configure(project, "{link,inside}/**/*.md")
    expect(await files()).toEqual([join(own, "AGENTS.md"), join(project, "inside/a.md")])
  })
})

describe("an address", () => {
  it("is the user's to name, wherever they do", async () => {
    const { own, directory, environment, files } = await places()
    await configure(own, "https://rules.test/a.md?x=*", "HTTP://rules.test")
    environment["PAWL_CONFIG_CONTENT"] = JSON.stringify({ instructions: ["https://rules.test/b.md"] })
    await configure(directory)

    expect((await files()).slice(1)).toEqual([
      "https://rules.test/a.md?x=*",
      "HTTP://rules.test",
      "https://rules.test/b.md",
    ])
  })

  it("of an organization is its own or a public one", async () => {
    const { root, directory, environment } = await places()
    const settings = await readSettings({ environment, home: root }, directory)
    const asked = ["http://acme.test:81/a.md", "https://1.1.1.1/b.md", "https://acme.test/c.md"]
    const refused = [
      ...["http://other.test/a.md", "https://localhost./b.md", "https://127.0.0.1/c.md", "https://[::1]/d.md"],
      ...["https://169.254.169.254/e.md", "https://2130706433/f.md", "http://localhost:80/g.md", "https://["],
    ]
    const config = { instructions: [...refused, ...asked] }
    const source = "http://acme.test:81/.well-known/pawl"
    const layers = [{ config, source, kind: "organization", isProject: false } as const]

    expect((await instructionFiles({ ...settings, layers }, root, environment)).slice(1)).toEqual(asked)
  })

  it("of a project is never asked for", async () => {
    const { project, directory, files } = await places()
    await configure(project, "https://rules.test/a.md", "HTTPS://rules.test/b.md", " https://rules.test/c.md")
    await configure(directory, "http://127.0.0.1/")

    expect((await files()).slice(1).filter((file) => !file.startsWith(project))).toEqual([])
  })
})
