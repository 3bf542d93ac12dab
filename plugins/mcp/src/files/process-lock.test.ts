import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { currentProcess } from "@pawl/storage-kit"
import { expect, it, onTestFinished } from "vitest"
import { withLock } from "./process-lock.ts"

async function createPlace(): Promise<{ directory: string; path: string }> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-lock-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return { directory, path: join(directory, "a.lock") }
}

it("lets work be done one at a time, and leaves nothing behind", async () => {
  const { directory, path } = await createPlace()
  let inside = 0
  const work = async () => {
    expect(++inside).toBe(1)
    await delay(2)
    inside--
  }
  await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)))
  expect(await readdir(directory)).toEqual([])
})

it("is given back when the work fails", async () => {
  const { path } = await createPlace()
  await expect(withLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(await withLock(path, () => Promise.resolve("done"))).toBe("done")
})

it("does nothing where it is taken and nobody wants to wait", async () => {
  const { path } = await createPlace()
  await withLock(path, async () => {
    expect(await withLock(path, () => Promise.resolve("done"), { wait: false })).toBeUndefined()
  })
})

it("waits no longer than its signal lets it", async () => {
  const { path } = await createPlace()
  await withLock(path, async () => {
    const waiting = withLock(path, () => Promise.resolve(), { signal: AbortSignal.timeout(30) })
    await expect(waiting).rejects.toThrow("aborted")
  })
})

it("passes from a process that is gone to one of those who wait, each time", async () => {
  const { directory, path } = await createPlace()
  const dead = `const { withLock } = await import(process.argv[1]); await withLock(process.argv[2], () => { console.log("in"); return new Promise((r) => setTimeout(r, 60000)) })`
  const module = new URL("process-lock.ts", import.meta.url).href
  const holder = spawn(
    process.execPath,
    ["--conditions=@pawl/source", "--input-type=module", "-e", dead, module, path],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  await once(holder.stdout, "data")
  let inside = 0
  const waiting = Array.from({ length: 6 }, () =>
    withLock(path, async () => {
      expect(++inside).toBe(1)
      await delay(2)
      inside--
    }),
  )
  await delay(40)
  expect(inside).toBe(0)
  holder.kill("SIGKILL")
  await Promise.all(waiting)
  expect(await readdir(directory)).toEqual([])
})

it("is left alone while somebody of another machine touches it", async () => {
  const { path } = await createPlace()
  await writeFile(path, JSON.stringify({ ...currentProcess(), token: "far", host: "elsewhere" }))
  expect(await withLock(path, () => Promise.resolve("done"), { wait: false })).toBeUndefined()
})
