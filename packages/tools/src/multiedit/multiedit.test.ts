import { existsSync } from "node:fs"
import { readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext, testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"

const filePath = "a.txt"

it("makes the edits in their order, writes once, and shows the whole change", async () => {
  const directory = await testDirectory({ "a.txt": "one\ntwo\none\n" })
  const context = testContext(directory)
  const edits = [
    { oldString: "one", newString: "1", replaceAll: true },
    { oldString: "1\ntwo", newString: "1\n2" },
  ]
  const result = await testTools(directory).run("multiedit", { filePath, edits }, context)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("1\n2\n1\n")
  expect(result.output).toBe("2 edits applied successfully.")
  expect(result.metadata).toMatchObject({ filediff: { additions: 3, deletions: 3 }, hash: sha256("1\n2\n1\n") })
  expect(context.images.map(({ side, bytes }) => [side, bytes && Buffer.from(bytes).toString()])).toEqual([
    ["before", "one\ntwo\none\n"],
    ["after", "1\n2\n1\n"],
  ])
})

it("creates a missing file by its first edit", async () => {
  const directory = await testDirectory()
  const edits = [
    { oldString: "", newString: "one\n" },
    { oldString: "one", newString: "two" },
  ]
  await testTools(directory).run("multiedit", { filePath: "new/a.txt", edits })
  expect(await readFile(join(directory, "new/a.txt"), "utf8")).toBe("two\n")
})

it.each([
  [{ oldString: "zwei", newString: "2" }, "Edit 2 of 2 failed, and none was made: oldString was not found in"],
  [{ oldString: "o", newString: "0" }, "oldString matches 4 times in"],
  [{ oldString: "one", newString: "1" }, "oldString was not found in"],
  [{ oldString: "two", newString: "two" }, "oldString and newString are identical"],
  [{ oldString: "", newString: "x" }, "oldString is empty, but"],
])("makes none where one is %j", async (second, message) => {
  const directory = await testDirectory({ "a.txt": "one\ntwo\nfoo\n" })
  const context = testContext(directory)
  const edits = [{ oldString: "one", newString: "uno" }, second]
  const editing = testTools(directory).run("multiedit", { filePath, edits }, context)
  await expect(editing).rejects.toThrow(message)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\ntwo\nfoo\n")
  expect(context.images).toEqual([])
})

it("says which edit did not match exactly, and that the file had changed", async () => {
  const directory = await testDirectory({ "a.txt": "\tone  \n\ttwo\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath })
  await writeFile(join(directory, "a.txt"), "\tone  \n\ttwo\n\tthree\n")
  const edits = [
    { oldString: "three", newString: "3" },
    { oldString: "  one\n  two", newString: "\tuno\n\tdue" },
  ]
  const { output } = await tools.run("multiedit", { filePath, edits })
  expect(output).toContain("Edit 2 of 2: oldString did not match exactly")
  expect(output).toContain("a.txt had changed since it was last read.")
})

it("refuses calls without edits, and names the field that is wrong", async () => {
  const tool = testTools(await testDirectory()).tool("multiedit")
  expect(() => tool.parse({ filePath, edits: [] })).toThrow("edits:")
  expect(() => tool.parse({ filePath, edits: [{ oldString: "a" }] })).toThrow("edits: 0: newString:")
  expect(() => tool.parse({ filePath: "a\0", edits: [{ oldString: "a", newString: "b" }] })).toThrow("NUL")
})

it("needs the permission for the file, and judges it again when it is used", async () => {
  const [directory, outside] = [await testDirectory(), await testDirectory({ "a.txt": "one\n" })]
  const tool = testTools(directory).tool("multiedit")
  const call = tool.parse({ filePath, edits: [{ oldString: "one", newString: "two" }] })
  expect(await tool.permissions?.(call, testPlace(directory))).toMatchObject([
    { permission: "edit", patterns: [filePath] },
  ])
  await symlink(join(outside, "a.txt"), join(directory, "a.txt"))
  await expect(tool.execute(call, testContext(directory))).rejects.toThrow("led to")
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("one\n")
})

it.each(["$(touch HIT)", "; touch HIT", "-rf", "new\nline", "`x`", "[a]*?", "~"])(
  "takes %j for a name",
  async (name) => {
    const directory = await testDirectory({ [name]: "one\n" })
    const edits = [{ oldString: "one", newString: "two" }]
    await testTools(directory).run("multiedit", { filePath: name, edits })
    expect(await readFile(join(directory, name), "utf8")).toBe("two\n")
    expect(await readdir(directory)).toEqual([name])
    expect(existsSync("HIT")).toBe(false)
  },
)
