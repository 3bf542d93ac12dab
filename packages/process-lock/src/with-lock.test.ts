import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { currentProcess } from "@pawl/storage-kit"
import { expect, it, onTestFinished } from "vitest"
import { withLock } from "./with-lock.ts"

async function createPlace(): Promise<{ directory: string; path: string }> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-lock-"))
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

it("names the owner after the timeout", async () => {
  const { path } = await createPlace()
  await withLock(path, async () => {
    const waiting = withLock(path, () => Promise.resolve(), { timeoutMs: 30 })
    await expect(waiting).rejects.toMatchObject({
      name: "LockBusyError",
      message: expect.stringContaining(`${path} is held by process ${process.pid}`),
    })
  })
})

/** A process that takes the lock and never gives it back. */
async function startHolder(path: string) {
  const holder = spawnHolder(path)
  await once(holder.stdout, "data")
  return holder
}

function spawnHolder(path: string) {
  const program = `const { withLock } = await import(process.argv[1]); await withLock(process.argv[2], () => { console.log("in"); return new Promise((r) => setTimeout(r, 60000)) })`
  const module = new URL("with-lock.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "-e", program, module, path]
  const holder = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void holder.kill("SIGKILL"))
  return holder
}

it("passes from a process that is gone to one of those who wait, each time", async () => {
  const { directory, path } = await createPlace()
  const holder = await startHolder(path)
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

it("keeps nothing of a process that was killed while it waited, once another one has waited", async () => {
  const { directory, path } = await createPlace()
  let next: Promise<void> | undefined
  await withLock(path, async () => {
    const waiter = spawnHolder(path)
    // The lock, its owner's file, and that of the one who waits.
    await expect.poll(() => contents(directory)).toEqual([1, 2, 3].map(() => expect.stringContaining("{")))
    waiter.kill("SIGKILL")
    await once(waiter, "exit")
    const looks = countingLooks()
    next = withLock(path, () => Promise.resolve(), looks)
    // The call itself, the first look, and the second, which means that the first was in vain.
    await expect.poll(looks.count).toBeGreaterThanOrEqual(3)
  })
  await next
  expect(await readdir(directory)).toEqual([])
})

async function contents(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))
}

/** A signal that counts how often it is asked whether it has aborted. */
function countingLooks() {
  const { signal } = new AbortController()
  let looks = 0
  signal.throwIfAborted = () => void looks++
  return { signal, count: () => looks }
}

const counting = `
  import { readFile, writeFile } from "node:fs/promises"
  const [module, lock, file] = process.argv.slice(1)
  const { withLock } = await import(module)
  for (let round = 0; round < 40; round++) {
    await withLock(lock, async () => {
      const count = Number(await readFile(file, "utf8"))
      await new Promise((resolve) => setImmediate(resolve))
      await writeFile(file, String(count + 1))
    })
  }
`

it("loses nothing where several processes change one file without pause", async () => {
  const { directory, path } = await createPlace()
  const file = join(directory, "count.txt")
  await writeFile(file, "0")
  const module = new URL("with-lock.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "-e", counting, module, path, file]
  const ends = await Promise.all(
    [1, 2, 3].map(() => once(spawn(process.execPath, flags, { stdio: "inherit" }), "exit")),
  )
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0])
  expect(await readFile(file, "utf8")).toBe("120")
  expect(await readdir(directory)).toEqual(["count.txt"])
})

/** A lock as another process would have left it. Nobody touches it any more. */
async function leave(path: string, owner: object): Promise<void> {
  await writeFile(path, JSON.stringify({ ...currentProcess(), token: "left", ...owner }))
}

const isFree = (path: string) => withLock(path, () => Promise.resolve(true), { wait: false })

it.runIf(process.platform === "linux")("passes on from a process whose id another one has got", async () => {
  const { directory, path } = await createPlace()
  await leave(path, { start: String(Number(currentProcess().start) - 1) })
  expect(await withLock(path, () => Promise.resolve("done"), { timeoutMs: 60_000 })).toBe("done")
  expect(await readdir(directory)).toEqual([])
})

it("is left alone at first when it is somebody's of another machine, which never has the same boot", async () => {
  const { path } = await createPlace()
  await leave(path, { host: "elsewhere", boot: "another" })
  expect(await isFree(path)).toBeUndefined()
  await expect(withLock(path, () => Promise.resolve(), { timeoutMs: 100 })).rejects.toThrow("is held by process")
})
