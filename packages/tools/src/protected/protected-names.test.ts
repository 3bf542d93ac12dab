import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import { isProtected } from "./is-protected.ts"

const patch = (...lines: readonly string[]) => ({
  patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
})

it.each([
  ["write", { filePath: ".git/config", content: "" }],
  ["edit", { filePath: ".git/config", oldString: "a", newString: "b" }],
  ["multiedit", { filePath: ".git/config", edits: [{ oldString: "a", newString: "b" }] }],
  ["apply_patch", patch("*** Add File: .git/config", "+x")],
  ["apply_patch", patch("*** Delete File: .git/config")],
  ["apply_patch", patch("*** Update File: a.txt", "*** Move to: .git/config", "-a", "+b")],
  ["apply_patch", patch("*** Update File: .git/config", "*** Move to: a.txt", "-a", "+b")],
  ["bash", { command: "echo x > .git/config" }],
  ["bash", { command: "echo x | cat >> ./.git/config" }],
  ["write", { filePath: "link", content: "" }],
  ["bash", { command: "echo x > link" }],
])("is asked for when %s writes there by %j", async (name, input) => {
  const directory = await testDirectory({ "a.txt": "a\n", ".git/config": "a\n" })
  await symlink(".git/config", join(directory, "link"))
  const tool = testTools(directory).tool(name)
  const needs = (await tool.permissions?.(tool.parse(input), testPlace(directory))) ?? []
  expect(needs.filter(({ permission }) => permission === "protected_file")).toMatchObject([
    { patterns: [".git/config"] },
  ])
  expect(needs.map(({ permission }) => permission)).toContain("edit")
})

it.each(["read", "grep", "list", "glob"])("is not asked for when %s looks at it", async (name) => {
  const directory = await testDirectory({ ".git/config": "" })
  const tool = testTools(directory).tool(name)
  const call = tool.parse(
    name === "read" ? { filePath: ".git/config" } : { path: ".git", ...(name !== "list" && { pattern: "x" }) },
  )
  const needs = (await tool.permissions?.(call, testPlace(directory))) ?? []
  expect(needs.map(({ permission }) => permission)).toEqual([name])
})

it.each([
  ...["lefthook.yml", "web/.pre-commit-config.yaml", ".husky/pre-push", ".config/lefthook.yml", ".gitmodules", ".exrc"],
  ...[
    "mise.toml",
    ".devcontainer/devcontainer.json",
    ".vscode/mcp.json",
    ".idea/runConfigurations/a.xml",
    ".zed/tasks.json",
  ],
])("is needed for %s, which runs with later commands", (name) => {
  expect(isProtected(name)).toBe(true)
})

it.each(["src/lefthook.ts", "docs/mise.md", ".vscode/extensions.json", ".idea/vcs.xml", "tasks.json"])(
  "is not needed for %s",
  (name) => {
    expect(isProtected(name)).toBe(false)
  },
)
