import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { missingPaths, removeUnused } from "./missing-paths.ts"

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "pawl-kit-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

it("lists the missing paths down to the first directory that exists, deepest first", () => {
  const root = temporaryDirectory()
  expect(missingPaths(join(root, "a", "b", "file"))).toEqual([
    join(root, "a", "b", "file"),
    join(root, "a", "b"),
    join(root, "a"),
  ])
  expect(missingPaths(root)).toEqual([])
})

it("removes empty files and directories, and nothing that holds something", () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, "a", "b"), { recursive: true })
  writeFileSync(join(root, "a", "b", "empty"), "")
  removeUnused([join(root, "a", "b", "empty"), join(root, "a", "b"), join(root, "missing")])
  expect(readdirSync(join(root, "a"))).toEqual([])
  writeFileSync(join(root, "a", "full"), "text")
  removeUnused([join(root, "a", "full"), join(root, "a")])
  expect(readdirSync(join(root, "a"))).toEqual(["full"])
})
