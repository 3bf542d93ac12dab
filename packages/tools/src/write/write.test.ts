import { chmod, mkdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { sha256 } from "../../test/sha256.ts"
import { testTools } from "../../test/tools.ts"

it("creates a file with its directories", async () => {
  const directory = await testDirectory()
  const result = await testTools(directory).run("write", { filePath: "a/b/c.txt", content: "one\n" })
  expect(await readFile(join(directory, "a/b/c.txt"), "utf8")).toBe("one\n")
  expect(result).toMatchObject({
    title: "a/b/c.txt",
    output: "Wrote file successfully.",
    metadata: { filepath: join(directory, "a/b/c.txt"), exists: false, hash: sha256("one\n") },
  })
})

it("replaces a file, keeps its mode and tells what changed", async () => {
  const directory = await testDirectory({ "run.sh": "echo one\n" })
  await chmod(join(directory, "run.sh"), 0o755)
  const { metadata } = await testTools(directory).run("write", { filePath: "run.sh", content: "echo two\n" })
  expect((await stat(join(directory, "run.sh"))).mode & 0o777).toBe(0o755)
  expect(metadata).toMatchObject({ exists: true, diff: expect.stringContaining("-echo one\n+echo two\n") as string })
})

it("writes through a link, also one that dangles", async () => {
  const directory = await testDirectory({ "real.txt": "old" })
  await symlink("real.txt", join(directory, "link"))
  await symlink("later.txt", join(directory, "dangling"))
  const tools = testTools(directory)
  await tools.run("write", { filePath: "link", content: "new" })
  await tools.run("write", { filePath: "dangling", content: "new" })
  expect(await readlink(join(directory, "link"))).toBe("real.txt")
  expect(await readFile(join(directory, "real.txt"), "utf8")).toBe("new")
  expect(await readFile(join(directory, "later.txt"), "utf8")).toBe("new")
})

it.each([
  ["CR LF", Buffer.from("a\r\nb\r\n"), "x\ny\n", Buffer.from("x\r\ny\r\n")],
  ["CR LF given already", Buffer.from("a\r\nb\r\n"), "x\r\ny\n", Buffer.from("x\r\ny\n")],
  ["a byte order mark", Buffer.from("\uFEFFa\n"), "x\n", Buffer.from("\uFEFFx\n")],
  ["a byte order mark given already", Buffer.from("\uFEFFa\n"), "\uFEFFx\n", Buffer.from("\uFEFFx\n")],
  ["UTF-16", Buffer.from("\uFEFFa\r\n", "utf16le"), "ß\n", Buffer.from("\uFEFFß\r\n", "utf16le")],
  ["LF", Buffer.from("a\n"), "x\r\n", Buffer.from("x\r\n")],
  ["bytes that are no UTF-8", Buffer.from("caf\xe9\n", "latin1"), "café\n", Buffer.from("café\n")],
])("replaces a file with %s in its style", async (_, before, content, after) => {
  const directory = await testDirectory({ "a.txt": before })
  const { metadata } = await testTools(directory).run("write", { filePath: "a.txt", content })
  expect(await readFile(join(directory, "a.txt"))).toEqual(after)
  expect(metadata).toMatchObject({ hash: sha256(after) })
})

it("does not replace what changed since the session read it", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath: "a.txt" })
  await writeFile(join(directory, "a.txt"), "by somebody else\n")
  const write = { filePath: "a.txt", content: "two\n" }
  await expect(tools.run("write", write)).rejects.toThrow(
    "has changed since it was last read. Read it again, then write.",
  )
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("by somebody else\n")

  await tools.run("read", { filePath: "a.txt" })
  await tools.run("write", write)
  await tools.run("write", { ...write, content: "three\n" })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("three\n")
})

it("knows the file under its other name", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  await symlink("a.txt", join(directory, "link"))
  const tools = testTools(directory)
  await tools.run("read", { filePath: "link" })
  await writeFile(join(directory, "a.txt"), "by somebody else\n")
  await expect(tools.run("write", { filePath: "a.txt", content: "two\n" })).rejects.toThrow("has changed")
})

it("takes a new time stamp alone for no change", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath: "a.txt" })
  await utimes(join(directory, "a.txt"), 1, 1)
  await expect(tools.run("write", { filePath: "a.txt", content: "two\n" })).resolves.toBeDefined()
})

it("replaces what was never read, as after a restart, and what another session read", async () => {
  const directory = await testDirectory({ "a.txt": "one\n" })
  const tools = testTools(directory)
  await tools.run("read", { filePath: "a.txt" }, testContext(directory, { sessionID: "ses_other" }))
  await writeFile(join(directory, "a.txt"), "by somebody else\n")
  await tools.run("write", { filePath: "a.txt", content: "two\n" })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe("two\n")
})

it("does not write to a directory", async () => {
  const directory = await testDirectory()
  await mkdir(join(directory, "sub"))
  await expect(testTools(directory).run("write", { filePath: "sub", content: "" })).rejects.toThrow("is a directory")
})

it("writes nothing once the call is aborted", async () => {
  const directory = await testDirectory()
  const context = testContext(directory, { signal: AbortSignal.abort() })
  await expect(testTools(directory).run("write", { filePath: "a.txt", content: "x" }, context)).rejects.toThrow(
    "aborted",
  )
  await expect(stat(join(directory, "a.txt"))).rejects.toThrow("ENOENT")
})

it.each([
  ["what it held before", "old", "replaced"],
  ["what the call writes", "new", "replaced"],
  ["a change that was made meanwhile", "mine", "refused"],
])("a call that runs again after a crash finds in the file %s", async (_what, content, outcome) => {
  const directory = await testDirectory({ "a.txt": content })
  const { files } = testContext(directory)
  const again = testContext(directory, { files: { ...files, earlier: () => sha256("old") } })
  const run = testTools(directory).run("write", { filePath: "a.txt", content: "new" }, again)
  if (outcome === "refused") await expect(run).rejects.toThrow("has changed since this call was interrupted")
  else await run
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe(outcome === "refused" ? "mine" : "new")
})
