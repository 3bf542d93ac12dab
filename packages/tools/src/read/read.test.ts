import { execFileSync } from "node:child_process"
import { mkdir, open, symlink, truncate, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { sha256 } from "../../test/sha256.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"

it("shows a file with line numbers", async () => {
  const directory = await testDirectory({ "src/a.txt": "one\ntwo\n\nfour" })
  const result = await testTools(directory).run("read", { filePath: "src/a.txt" })
  expect(result).toEqual({
    title: "src/a.txt",
    output: [
      `<path>${directory}/src/a.txt</path>`,
      "<type>file</type>",
      "<content>",
      "1: one",
      "2: two",
      "3: ",
      "4: four",
      "",
      "(End of file - total 4 lines)",
      "</content>",
    ].join("\n"),
    metadata: { filepath: `${directory}/src/a.txt`, truncated: false, hash: sha256("one\ntwo\n\nfour") },
  })
})

it("shows a part and how to continue", async () => {
  const directory = await testDirectory({ "a.txt": "1\n2\n3\n4\n5\n" })
  const { output, metadata } = await testTools(directory).run("read", { filePath: "a.txt", offset: 2, limit: 2 })
  expect(output).toContain("<content>\n2: 2\n3: 3\n\n(Showing lines 2-3 of 5. Use offset=4 to continue.)\n</content>")
  expect(metadata).toMatchObject({ truncated: true })
})

it("shows 2000 lines at most, whatever is asked for", async () => {
  const directory = await testDirectory({ "a.txt": "x\n".repeat(3000) })
  const { output } = await testTools(directory).run("read", { filePath: "a.txt", limit: 5000 })
  expect(output).toContain("2000: x\n\n(Showing lines 1-2000 of 3000. Use offset=2001 to continue.)")
})

it("reads a page from the middle of a huge file without reading the rest", async () => {
  const directory = await testDirectory({ "huge.log": "first\nsecond\n".padEnd(1 << 16, "x\n") })
  await truncate(join(directory, "huge.log"), 5 * 2 ** 30)
  const file = await open(join(directory, "huge.log"), "r+")
  await file.write("\nend", 5 * 2 ** 30 - 4)
  await file.close()
  const { output } = await testTools(directory).run("read", { filePath: "huge.log", offset: 2, limit: 2 })
  expect(output).toContain("2: second\n3: x\n\n(Showing lines 2-3. Use offset=4 to continue.)")
})

it("tells the hash of the whole file, also of a part or an attachment, but not of what is huge or a directory", async () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1")
  const text = Buffer.from("\uFEFF1\r\n2\n3\n", "utf16le")
  const directory = await testDirectory({ "a.txt": text, "a.png": png, "huge.log": "x\n".repeat(5000) })
  await truncate(join(directory, "huge.log"), 11 * 2 ** 20)
  const hash = async (filePath: string) => {
    return (await testTools(directory).run("read", { filePath, limit: 1 })).metadata?.["hash"]
  }
  expect(await hash("a.txt")).toBe(sha256(text))
  expect(await hash("a.png")).toBe(sha256(png))
  expect(await hash("huge.log")).toBeUndefined()
  expect(await hash(".")).toBeUndefined()
})

it("says where the end is when the offset lies behind it", async () => {
  const directory = await testDirectory({ "a.txt": "1\n2\n" })
  const reading = testTools(directory).run("read", { filePath: "a.txt", offset: 3 })
  await expect(reading).rejects.toThrow(`Offset 3 is out of range: ${directory}/a.txt has 2 lines.`)
})

it("says that an empty file is empty", async () => {
  const directory = await testDirectory({ "a.txt": "", "b.txt": "\uFEFF" })
  for (const filePath of ["a.txt", "b.txt"]) {
    const { output } = await testTools(directory).run("read", { filePath })
    expect(output).toContain("<content>\n(The file is empty - total 0 lines)\n</content>")
  }
})

it.each([
  ["a UTF-8 byte order mark", Buffer.from("\uFEFFgröße\n")],
  ["UTF-16LE", Buffer.from("\uFEFFgröße\n", "utf16le")],
  ["UTF-16BE", Buffer.from("\uFEFFgröße\n", "utf16le").swap16()],
  ["CR LF", Buffer.from("größe\r\n")],
])("shows a file with %s as plain text", async (_, bytes) => {
  const directory = await testDirectory({ "a.txt": bytes })
  const { output } = await testTools(directory).run("read", { filePath: "a.txt" })
  expect(output).toContain("<content>\n1: größe\n\n(End of file - total 1 lines)\n</content>")
})

it("says when bytes are no text", async () => {
  const directory = await testDirectory({ "a.txt": Buffer.from("un caf\xe9 noir\n", "latin1") })
  const { output } = await testTools(directory).run("read", { filePath: "a.txt" })
  expect(output).toContain(
    "1: un caf\uFFFD noir\n\n(Some bytes are not valid UTF-8 and are shown as \uFFFD.)\n(End of file",
  )
})

it("lists a directory, links to directories included", async () => {
  const directory = await testDirectory({ "d/b.txt": "", "d/sub/x.txt": "", "d/new\nline.txt": "" })
  await symlink("sub", join(directory, "d/link"))
  const { output, metadata } = await testTools(directory).run("read", { filePath: "d" })
  expect(output).toBe(
    `<path>${directory}/d</path>\n<type>directory</type>\n<entries>\n` +
      "b.txt\nlink/\nnew\\nline.txt\nsub/\n\n(4 entries)\n</entries>",
  )
  expect(metadata).toMatchObject({ truncated: false })
  const part = await testTools(directory).run("read", { filePath: "d", offset: 2, limit: 1 })
  expect(part.output).toContain("<entries>\nlink/\n\n(Showing entries 2-2 of 4. Use offset=3 to continue.)\n</entries>")
})

it("attaches images and PDF files", async () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1")
  const directory = await testDirectory({ "a.png": png, "a.pdf": "%PDF-1.7\n" })
  const image = await testTools(directory).run("read", { filePath: "a.png" })
  const url = `data:image/png;base64,${png.toString("base64")}`
  expect(image.attachments).toEqual([{ type: "file", mime: "image/png", filename: "a.png", url }])
  const pdf = await testTools(directory).run("read", { filePath: "a.pdf" })
  expect(pdf).toMatchObject({ output: "PDF read successfully.", attachments: [{ mime: "application/pdf" }] })
})

it("does not attach what providers would refuse", async () => {
  const directory = await testDirectory({ "a.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1") })
  await truncate(join(directory, "a.png"), 4 * 2 ** 20)
  const reading = testTools(directory).run("read", { filePath: "a.png" })
  await expect(reading).rejects.toThrow("4194304 bytes of image/png, at most 3932160 can be attached")
})

it("refuses binary files by name", async () => {
  const directory = await testDirectory({ "a.out": "\x7fELF\0\0" })
  await expect(testTools(directory).run("read", { filePath: "a.out" })).rejects.toThrow(
    `Cannot read ${directory}/a.out: it is a binary file.`,
  )
})

it("suggests similar names for a missing file", async () => {
  const directory = await testDirectory({ "readme.md": "" })
  await expect(testTools(directory).run("read", { filePath: "README.txt" })).rejects.toThrow(
    `File not found: ${directory}/README.txt\n\nDid you mean one of these?\n${directory}/readme.md`,
  )
  await expect(testTools(directory).run("read", { filePath: "other" })).rejects.toThrow("Use glob or list")
})

it("refuses pipes, sockets and devices without touching them", async () => {
  const directory = await testDirectory()
  execFileSync("mkfifo", [join(directory, "pipe")])
  const server = createServer().listen(join(directory, "socket"))
  await new Promise((resolve) => server.once("listening", resolve))
  try {
    for (const filePath of ["pipe", "socket", "/dev/zero"]) {
      await expect(testTools(directory).run("read", { filePath })).rejects.toThrow("a device, a pipe or a socket")
    }
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})

it("refuses what the kernel makes up, where secrets of this process stand, under any name", async () => {
  const directory = await testDirectory()
  await symlink("/proc/self/environ", join(directory, "link"))
  for (const filePath of ["/proc/self/environ", "/proc/self/fd/0", "/dev/stdin", "/dev/fd/0", "link"]) {
    await expect(testTools(directory).run("read", { filePath })).rejects.toThrow("belongs to the kernel")
  }
})

it("reads a file of the project through the directory of this process", async () => {
  const { output } = await testTools(process.cwd()).run("read", { filePath: "/proc/self/cwd/package.json", limit: 1 })
  expect(output).toContain("1: {")
})

it("shows a notebook as cells, in pages, and anything else of that name as text", async () => {
  const cells = [{ cell_type: "markdown", source: ["one\n", "two\n"] }]
  const json = JSON.stringify({ nbformat: 4, cells })
  const directory = await testDirectory({ "a.ipynb": json, "broken.ipynb": "{" })
  const { output, metadata } = await testTools(directory).run("read", { filePath: "a.ipynb", offset: 2 })
  expect(output).toContain("<content>\n2: one\n3: two\n\n(A notebook, shown as cells.")
  expect(metadata).toMatchObject({ hash: sha256(json) })
  expect((await testTools(directory).run("read", { filePath: "broken.ipynb" })).output).toContain("1: {")
})

it("does not take a title with line ends from an attachment's name", async () => {
  const directory = await testDirectory({ "a\nb.gif": "GIF89a" })
  const { attachments } = await testTools(directory).run("read", { filePath: "a\nb.gif" })
  expect(attachments).toMatchObject([{ mime: "image/gif", filename: "a\\nb.gif" }])
})

it("ends when the call is aborted", async () => {
  const directory = await testDirectory({ "a.txt": "a\n" })
  const context = testContext(directory, { signal: AbortSignal.abort() })
  await expect(testTools(directory).run("read", { filePath: "a.txt" }, context)).rejects.toThrow("aborted")
})

it("reads a file through a link under the name it was asked for", async () => {
  const directory = await testDirectory({ "real/a.txt": "text" })
  await mkdir(join(directory, "links"))
  await symlink("../real/a.txt", join(directory, "links/b.txt"))
  await writeFile(join(directory, "real/a.txt"), "new text")
  const { output, title } = await testTools(directory).run("read", { filePath: "links/b.txt" })
  expect(title).toBe("links/b.txt")
  expect(output).toContain("1: new text")
})

it("names no entry of a directory that may not be read, and says how many there are", async () => {
  const directory = await testDirectory({ "a.txt": "", "b.key": "", "c.txt": "" })
  const rules = [{ permission: "read", pattern: "*.key", action: "deny" }] as const
  const read = (input: object) =>
    testTools(directory).run("read", { filePath: ".", ...input }, testContext(directory, { rules }))
  const note = "(1 file was left out, which may not be read: a rule denies it.)"
  expect((await read({})).output).toContain(`<entries>\na.txt\nc.txt\n\n(2 entries)\n${note}\n</entries>`)
  expect((await read({ offset: 2 })).output).toContain("<entries>\nc.txt\n")
})
