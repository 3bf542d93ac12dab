import { execFileSync } from "node:child_process"
import { mkdir, realpath, rename, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { attachment } from "./attachment.ts"

async function written(name: string, content: string | Buffer) {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, name), content)
  return { directory, path: join(directory, name) }
}

describe("attached", () => {
  it("a text is written out, and named", async () => {
    const { directory, path } = await written("a b.txt", "one\ntwo\n")

    const parts = await attachment("a b.txt", directory)

    expect(parts).toEqual([
      { type: "text", synthetic: true, text: `The user attached the file ${path}:\n<content>\none\ntwo\n</content>` },
      { type: "file", mime: "text/plain", filename: "a b.txt", url: pathToFileURL(path).href },
    ])
  })

  it("a long text is cut, and it is said by how much", async () => {
    const { directory } = await written("long.txt", "line\n".repeat(5000))

    const [first] = await attachment("long.txt", directory)

    expect(first?.type === "text" && first.text).toMatch(
      /\n\(3\d{3} more lines are not shown; the read tool shows them\.\)$/,
    )
  })

  it("an empty file and text that is no UTF-8 are texts", async () => {
    const { directory } = await written("empty", "")
    await writeFile(join(directory, "latin1"), Buffer.from("caf\u00E9", "latin1"))

    const [[empty], [latin1]] = await Promise.all([attachment("empty", directory), attachment("latin1", directory)])

    expect(empty?.type === "text" && empty.text).toContain("<content>\n\n</content>")
    expect(latin1?.type === "text" && latin1.text).toContain("caf\uFFFD")
  })

  it.each([
    ["image/png", "89504e470d0a1a0a00"],
    ["image/jpeg", "ffd8ffe000"],
    ["image/gif", "474946383961"],
    ["image/webp", "524946460000000057454250"],
    ["application/pdf", "255044462d312e37"],
  ])("%s goes as it is, whatever its name", async (mime, hex) => {
    const { directory } = await written("odd.name", Buffer.from(hex, "hex"))

    expect(await attachment("odd.name", directory)).toEqual([
      {
        type: "file",
        mime,
        filename: "odd.name",
        url: `data:${mime};base64,${Buffer.from(hex, "hex").toString("base64")}`,
      },
    ])
  })

  it("a directory is a sorted list", async () => {
    const { directory } = await written("b.txt", "")
    await mkdir(join(directory, "a"))

    const [first, second] = await attachment(".", directory)

    expect(first?.type === "text" && first.text).toContain("<content>\na/\nb.txt\n</content>")
    expect(second).toMatchObject({ mime: "application/x-directory" })
  })
})

describe("refused", () => {
  it("what is not there", async () => {
    await expect(attachment("nothing.txt", "/nowhere")).rejects.toThrow(
      "There is no file /nowhere/nothing.txt to attach.",
    )
  })

  it("a binary file", async () => {
    const { directory, path } = await written("program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))

    await expect(attachment("program", directory)).rejects.toThrow(`${path} is a binary file.`)
  })

  it("a huge text, without reading it", async () => {
    const { directory, path } = await written("huge.txt", "text\n")
    // What follows the text is a hole: longer than the memory there is.
    await writeFile(path, "x".repeat(10_000))
    await truncate(path, 2 ** 42)

    await expect(attachment("huge.txt", directory)).rejects.toThrow("huge.txt is too large to attach.")
  })

  it("a huge image", async () => {
    const { directory, path } = await written("huge.png", Buffer.from("89504e470d0a1a0a00", "hex"))
    await truncate(path, 11 * 1024 * 1024)

    await expect(attachment("huge.png", directory)).rejects.toThrow("at most 10 MiB")
  })

  // Root may read files of any mode, but reading this one fails for every user.
  it.skipIf(process.platform !== "linux")("a file that the system does not let pawl read", async () => {
    const failure = await attachment("/proc/self/mem", "/").catch((error: unknown) => error)

    expect(failure).toMatchObject({ name: "UsageError", message: expect.stringContaining("/proc/self/mem cannot be") })
  })

  it("a pipe, which would never end", async () => {
    const directory = await temporaryDirectory()
    execFileSync("mkfifo", [join(directory, "pipe")])

    await expect(attachment("pipe", directory)).rejects.toThrow("is not a regular file or directory")
  })
})

describe("a file that was judged", () => {
  it.each(["src", "src/a.txt"])("is not attached once %s has become a link that leads elsewhere", async (name) => {
    const directory = await realpath(await temporaryDirectory())
    await mkdir(join(directory, "src"))
    await mkdir(join(directory, "outside"))
    await writeFile(join(directory, "src/a.txt"), "INSIDE")
    await writeFile(join(directory, "outside/a.txt"), "OUTSIDE")
    const target = join(directory, "src/a.txt")
    expect(JSON.stringify(await attachment("src/a.txt", directory, { target }))).toContain("INSIDE")

    await rename(join(directory, name), join(directory, "moved"))
    await symlink(join(directory, name === "src" ? "outside" : "outside/a.txt"), join(directory, name))
    await expect(attachment("src/a.txt", directory, { target })).rejects.toThrow("leads elsewhere now")
    // Where nobody judged it, it is where it leads.
    expect(JSON.stringify(await attachment("src/a.txt", directory))).toContain("OUTSIDE")
  })
})
