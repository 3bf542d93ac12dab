import { execFileSync } from "node:child_process"
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { writeDurably } from "./durable-file.ts"

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "pawl-durable-"))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

const hello = (sink: (text: string) => Promise<void>) => sink("hello")

it("replaces what a link leads to, and leaves the link", async () => {
  const at = await directory()
  await mkdir(join(at, "elsewhere"))
  await writeFile(join(at, "elsewhere", "real.json"), "before")
  await symlink("elsewhere/real.json", join(at, "link.json"))

  await writeDurably(join(at, "link.json"), hello)

  expect((await lstat(join(at, "link.json"))).isSymbolicLink()).toBe(true)
  expect(await readFile(join(at, "elsewhere", "real.json"), "utf8")).toBe("hello")
  expect(await readdir(at)).toEqual(["elsewhere", "link.json"])
})

it.skipIf(process.platform === "win32")("writes into a pipe and leaves it one", async () => {
  const pipe = join(await directory(), "pipe")
  execFileSync("mkfifo", [pipe])

  const [text] = await Promise.all([readFile(pipe, "utf8"), writeDurably(pipe, hello)])

  expect(text).toBe("hello")
  expect((await stat(pipe)).isFIFO()).toBe(true)
})

it("names the file that was asked for when it cannot be made", async () => {
  const at = await directory()

  await expect(writeDurably(at, hello)).rejects.toMatchObject({ code: "EISDIR", path: at })
  const missing = join(at, "missing", "out.json")
  await expect(writeDurably(missing, hello)).rejects.toMatchObject({ code: "ENOENT", path: missing })
})

it.skipIf(process.platform !== "linux")("names the file when the disk is full", async () => {
  await expect(writeDurably("/dev/full", hello)).rejects.toMatchObject({ code: "ENOSPC", path: "/dev/full" })
})

it("leaves what was there, and nothing else, when the writing fails", async () => {
  const at = await directory()
  await writeFile(join(at, "a.json"), "before")

  await expect(writeDurably(join(at, "a.json"), () => Promise.reject(new Error("no more")))).rejects.toThrow("no more")

  expect(await readdir(at)).toEqual(["a.json"])
  expect(await readFile(join(at, "a.json"), "utf8")).toBe("before")
})
