import { everyday } from "@pawl/shell-corpus"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createToolPaths } from "../tool-paths.ts"
import { commandNeeds } from "./command-needs.ts"

/** What is asked for without any rule. */
const ASKED = new Set(["external_directory", "protected_file"])

const FILES = [
  ...[
    "package.json",
    "README.md",
    ".gitignore",
    ".env.example",
    ".git/config",
    ".git/HEAD",
    "data.csv",
    "file",
    "a",
    "b/x",
  ],
  ...["src/index.ts", "src/parser.test.ts", "src/a/b/c.ts", "docs/a.md", "dist/app.js", "packages/core/package.json"],
  ...["packages/cli/package.json", "build/app.o", "node_modules/x/index.js", "scripts/build.sh", "app.log", "list"],
]

it("asks for hardly any of the commands that are written all day", async () => {
  const directory = await testDirectory(Object.fromEntries(FILES.map((file) => [file, ""])))
  const asked: string[] = []
  for (const { command } of everyday) {
    if (command === "" || command.startsWith("#")) continue
    const place = { directory, worktree: directory, cwd: directory, paths: createToolPaths() }
    const needs = await commandNeeds(command, place)
    if (needs.some(({ unclear, permission }) => unclear !== undefined || ASKED.has(permission))) asked.push(command)
  }
  expect(everyday.length).toBeGreaterThanOrEqual(223)
  expect(asked.length > 6 ? asked : []).toEqual([])
})
