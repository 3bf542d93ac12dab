import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { testContext } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"

/** What a call needs, as `permission pattern|pattern`. */
async function needsOf(
  directory: string,
  name: string,
  input: object,
  worktree = directory,
): Promise<readonly string[]> {
  const tool = testTools(directory).tool(name)
  const needs = (await tool.permissions?.(tool.parse(input), { directory, worktree })) ?? []
  return needs.map(({ permission, patterns }) => `${permission} ${patterns.join("|")}`)
}

describe("the root of the file system", () => {
  it.each([
    ["read", { filePath: "/etc/hostname" }, "external_directory /etc/*"],
    ["read", { filePath: "etc/hostname" }, "external_directory /etc/*"],
    ["write", { filePath: "tmp-file", content: "" }, "external_directory /tmp-file"],
    ["grep", { pattern: "x" }, "external_directory /*"],
    ["list", {}, "external_directory /*"],
    ["bash", { command: "cat /etc/hostname" }, "external_directory /etc/*"],
    ["bash", { command: "echo x > etc/passwd" }, "external_directory /etc/*"],
  ])("is no project to which all would belong: %s %j", async (name, input, expected) => {
    expect(await needsOf("/", name, input)).toContain(expected)
  })

  it("may be where a command starts", async () => {
    expect(await needsOf("/", "bash", { command: "make" })).toEqual(["bash make"])
  })
})

describe("a project that is the home directory", () => {
  let home: string
  beforeEach(async () => {
    home = await testDirectory({
      ...{ "notes.txt": "needle\n", "work/app/.github/a.yml": "needle\n", ".netrc": "needle\n" },
      ...{ ".ssh/id": "needle\n", ".config/app/a.toml": "needle\n" },
    })
    vi.stubEnv("HOME", home)
  })
  afterEach(() => void vi.unstubAllEnvs())

  it.each([
    ["read", { filePath: ".config/app/a.toml" }, "H/.config/app/*"],
    ["read", { filePath: ".bashrc" }, "H/.bashrc"],
    ["write", { filePath: ".foo", content: "" }, "H/.foo"],
    ["edit", { filePath: ".config/app/a.toml", oldString: "a", newString: "b" }, "H/.config/app/*"],
    ["grep", { pattern: "x", path: ".config" }, "H/.config/*"],
    ["glob", { pattern: "x", path: ".ssh" }, "H/.ssh/*"],
    ["list", { path: ".config/app" }, "H/.config/app/*"],
    ["bash", { command: "cat .ssh/id" }, "H/.ssh/*"],
    ["bash", { command: "cat ~/.ssh/id" }, "H/.ssh/*"],
    ["bash", { command: "ls", workdir: ".config" }, "H/.config/*"],
  ])("does not have what is hidden there: %s %j", async (name, input, pattern) => {
    expect(await needsOf(home, name, input)).toContain(`external_directory ${pattern.replace("H", home)}`)
    const above = await needsOf(home, name, input, dirname(home))
    expect(above).toContain(`external_directory ${pattern.replace("H", home)}`)
  })

  it("has the rest, and what is hidden further down", async () => {
    expect(await needsOf(home, "read", { filePath: "work/app/.github/a.yml" })).toEqual(["read work/app/.github/a.yml"])
    expect(await needsOf(home, "grep", { pattern: "x" })).toEqual(["grep x"])
  })

  it.each(["home", "above"])("leaves it out of searches, and says so (%s)", async (root) => {
    const directory = root === "home" ? home : dirname(home)
    const context = { ...testContext(home), worktree: directory }
    const run = async (name: string, input: object) => (await testTools(home).run(name, input, context)).output
    const note = "(What is hidden in the home directory is left out. Give its name as path.)"
    const outputs = [
      await run("grep", { pattern: "needle" }),
      await run("glob", { pattern: "**" }),
      await run("list", {}),
      await run("read", { filePath: "." }),
    ]
    for (const output of outputs) {
      expect(output).toContain(note)
      expect(output).toContain("notes.txt")
      expect(output).not.toMatch(/ssh|netrc|toml|config/)
    }
    expect(outputs[0]).toContain("work/app/.github/a.yml")
  })

  it("shows what is hidden once it is named", async () => {
    const { output } = await testTools(home).run("grep", { pattern: "needle", path: ".config" })
    expect(output).toContain("app/a.toml")
    expect(output).not.toContain("left out")
  })

  it("does not take in a project in a directory below, and one in a hidden directory has its own", async () => {
    expect(await needsOf(join(home, "work/app"), "read", { filePath: ".github/a.yml" })).toEqual(["read .github/a.yml"])
    expect(await needsOf(join(home, ".config/app"), "read", { filePath: "a.toml" })).toEqual(["read a.toml"])
  })
})
