import { readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"

it("replaces text and tells what changed", async () => {
  const directory = await testDirectory({ "src/a.ts": "const a = 1\nconst b = 2\n" })
  const call = { filePath: "src/a.ts", oldString: "b = 2", newString: "b = 3\nconst c = 4" }
  const result = await testTools(directory).run("edit", call)
  const patch = `--- ${directory}/src/a.ts\n+++ ${directory}/src/a.ts\n@@ -1,2 +1,3 @@\n const a = 1\n-const b = 2\n+const b = 3\n+const c = 4\n`
  expect(await readFile(join(directory, "src/a.ts"), "utf8")).toBe("const a = 1\nconst b = 3\nconst c = 4\n")
  expect(result).toEqual({
    title: "src/a.ts",
    output: "Edit applied successfully.",
    metadata: {
      diff: patch,
      filediff: { file: join(directory, "src/a.ts"), patch, additions: 2, deletions: 1 },
      hash: sha256("const a = 1\nconst b = 3\nconst c = 4\n"),
    },
  })
})

it("changes every occurrence when asked to", async () => {
  const directory = await testDirectory({ "a.txt": "x y x\nx\n" })
  await testTools(directory).run("edit", { filePath: "a.txt", oldString: "x", newString: "$&z", replaceAll: true })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("$&z y $&z\n$&z\n")
})

it("creates a missing file from an empty oldString", async () => {
  const directory = await testDirectory()
  const result = await testTools(directory).run("edit", { filePath: "new/a.txt", oldString: "", newString: "one\n" })
  expect(await readFile(join(directory, "new/a.txt"), "utf8")).toBe("one\n")
  expect(result.metadata).toMatchObject({ filediff: { additions: 1, deletions: 0 } })
})

it.each([
  [{ oldString: "one", newString: "one" }, "oldString and newString are identical"],
  [{ oldString: "", newString: "two" }, "oldString is empty, but"],
  [{ oldString: "zwei", newString: "two" }, "oldString was not found in"],
  [{ oldString: "e", newString: "two" }, "oldString matches 2 times in"],
])("refuses %j and leaves the file alone", async (call, message) => {
  const directory = await testDirectory({ "a.txt": "one\nthe\n" })
  await expect(testTools(directory).run("edit", { filePath: "a.txt", ...call })).rejects.toThrow(message)
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\nthe\n")
  expect(await readdir(directory)).toEqual(["a.txt"])
})

it("suggests similar names for a missing file", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  const editing = testTools(directory).run("edit", { filePath: "b.txt", oldString: "one", newString: "two" })
  await expect(editing).rejects.toThrow(
    `File not found: ${directory}/b.txt\n\nDid you mean one of these?\n${directory}/a.txt`,
  )
})

it("edits the file as it is now and says that it had changed", async () => {
  const directory = await testDirectory({ "a.txt": "one\ntwo\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath: "a.txt" })
  await writeFile(join(directory, "a.txt"), "one\ntwo\nthree\n")

  const first = await tools.run("edit", { filePath: "a.txt", oldString: "two", newString: "2" })
  expect(first.output).toBe(
    `Edit applied successfully.\n${directory}/a.txt had changed since it was last read. Read it again before further edits.`,
  )
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("one\n2\nthree\n")

  const second = await tools.run("edit", { filePath: "a.txt", oldString: "three", newString: "3" })
  expect(second.output).toBe("Edit applied successfully.")
})

it("loses none of many edits of one file at the same time, under whatever name", async () => {
  const words = Array.from({ length: 20 }, (_, index) => `<${index}>`)
  const directory = await testDirectory({ "a.txt": words.join("\n") })
  await symlink("a.txt", join(directory, "link.txt"))
  const tools = testTools(directory)
  await Promise.all(
    words.map((word, index) => {
      const filePath = index % 2 === 0 ? "a.txt" : "link.txt"
      return tools.run("edit", { filePath, oldString: word, newString: `${word} done` })
    }),
  )
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe(words.map((word) => `${word} done`).join("\n"))
})

it("does not claim to have changed what was so already", async () => {
  const directory = await testDirectory({ "a.txt": "one two\n" })
  const { output } = await testTools(directory).run("edit", {
    filePath: "a.txt",
    oldString: "one  two",
    newString: "one two",
  })
  expect(output).toContain("Nothing was changed: newString stands there already.")
})
