import { execFileSync } from "node:child_process"
import { mkdir, symlink } from "node:fs/promises"
import { expect, it } from "vitest"
import { fileTree } from "../test/file-tree.ts"
import { readFailure, readText } from "./read-text.ts"

it("reads UTF-8 and drops a byte order mark", async () => {
  await using tree = await fileTree({ "a.json": '\uFEFF{ "größe": "🪵" }' })
  expect(await readText(tree.at("a.json"))).toEqual({ text: '{ "größe": "🪵" }' })
})

it("says what is wrong with a file instead of rejecting", async () => {
  await using tree = await fileTree({ "utf16.json": Buffer.from("\uFEFF{}", "utf16le") })
  await mkdir(tree.at("directory"))
  await symlink("loop", tree.at("loop"))
  await symlink("missing", tree.at("broken"))

  expect(await readText(tree.at("utf16.json"))).toEqual({ failure: "is not UTF-8 text" })
  expect(await readText(tree.at("directory"))).toEqual({ failure: "is a directory, not a file" })
  expect(await readText(tree.at("missing"))).toEqual({ failure: "does not exist" })
  expect(await readText(tree.at("broken"))).toEqual({ failure: "is a link to a file that does not exist" })
  expect(await readText(tree.at("loop"))).toEqual({ failure: "cannot be read: ELOOP" })
})

it.skipIf(process.platform === "win32")("waits for nobody who might write, and reads no device", async () => {
  await using tree = await fileTree()
  execFileSync("mkfifo", [tree.at("pipe")])
  await symlink("/dev/zero", tree.at("zero"))

  expect(await readText(tree.at("pipe"))).toEqual({ failure: "is not a regular file" })
  expect(await readText(tree.at("zero"))).toEqual({ failure: "is not a regular file" })
})

it("reads no more than 1 MiB", async () => {
  await using tree = await fileTree({ large: "x".repeat(1_048_576), larger: "x".repeat(1_048_577) })
  expect((await readText(tree.at("large"))).text).toHaveLength(1_048_576)
  expect(await readText(tree.at("larger"))).toEqual({ failure: "is larger than 1 MiB" })
})

it("names a lack of permission", () => {
  expect(readFailure("EACCES")).toBe("cannot be read: permission denied")
})
