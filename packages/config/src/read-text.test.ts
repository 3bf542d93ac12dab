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

it("names a lack of permission", () => {
  expect(readFailure("EACCES")).toBe("cannot be read: permission denied")
})
