import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createModules } from "@pawl/plugin-loader"
import { createGuardian } from "@pawl/process-guard"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { opencodeAdapter } from "../adapter.ts"
import { moduleAliases, moduleFallbacks } from "../module-aliases.ts"
import { createShell } from "../shell/create-shell.ts"
import { createBun, missingParts } from "./create-bun.ts"
import { installBun } from "./install-bun.ts"

let directory = ""
beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), "pawl-bun-"))))
afterAll(() => rm(directory, { recursive: true }))

const guardian = createGuardian()
const bun = createBun(createShell(tmpdir(), guardian), guardian)

describe("Bun", () => {
  it("reads and writes files", async () => {
    const path = join(directory, "new", "a.json")
    expect(await bun.write(path, '{"a":1}')).toBe(7)
    const file = bun.file(path)
    expect([await file.text(), await file.json(), file.size, await file.exists()]).toEqual([
      '{"a":1}',
      { a: 1 },
      7,
      true,
    ])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(await file.bytes())
    expect(await bun.readableStreamToText(file.stream())).toBe('{"a":1}')
    const copy = bun.file(new URL(`file://${directory}/copy`))
    await bun.write(copy, file)
    await bun.write(join(directory, "answer"), new Response("answered"))
    expect([await copy.text(), await bun.file(join(directory, "answer")).text()]).toEqual(['{"a":1}', "answered"])
    expect(await bun.$`cat ${copy} < ${file}`.text()).toBe('{"a":1}')
    await copy.delete()
    expect([await copy.exists(), copy.size]).toEqual([false, 0])
  })

  it("lets what a program said be read after it has ended, however much, and by Bun's own names", async () => {
    const said = bun.spawn(["sh", "-c", "head -c 60000 /dev/zero"])
    expect(await said.exited).toBe(0)
    expect((await said.stdout?.bytes())?.length).toBe(60_000)
    const told = bun.spawn(["echo", '{"a":1}'])
    expect(await told.stdout?.json()).toEqual({ a: 1 })
    const silent = bun.spawn(["sh", "-c", "head -c 3000000 /dev/zero & exit 0"])
    expect(await silent.exited).toBe(0)
    expect((await silent.stdout?.text())?.length).toBe(3_000_000)
  })

  it("writes files bit by bit, and knows what they are by their name", async () => {
    const path = join(directory, "log.txt")
    const file = bun.file(path)
    const writer = file.writer()
    expect(writer.write("one\n")).toBe(4)
    writer.write(new TextEncoder().encode("two\n"))
    await writer.flush()
    expect(await file.text()).toBe("one\ntwo\n")
    await writer.end()
    expect([file.type, bun.file("a.png").type, bun.file("a.b").type]).toEqual([
      ...["text/plain;charset=utf-8", "image/png", "application/octet-stream"],
    ])
    expect(() => bun.file(1 as never)).toThrow("Bun.file of a descriptor is not available")
  })

  it("starts programs", async () => {
    const process = bun.spawn(["sh", "-c", "cat; echo err >&2; exit 3"], {
      stdin: "pipe",
      stderr: "pipe",
      cwd: directory,
    })
    process.stdin?.write("in")
    process.stdin?.end()
    const said = await Promise.all([process.stdout, process.stderr].map((stream) => new Response(stream).text()))
    expect([said, await process.exited, process.exitCode]).toEqual([["in", "err\n"], 3, 3])
    const fed = bun.spawn({ cmd: ["cat"], stdin: new Blob(["blob"]) })
    expect(await new Response(fed.stdout).text()).toBe("blob")
    const ended = bun.spawn(["sleep", "30"])
    ended.kill()
    expect(await ended.exited).toBe(143)
    expect([ended.signalCode, ended.killed]).toEqual(["SIGTERM", true])
    await expect(bun.spawn(["no-such-program"]).exited).rejects.toThrow("ENOENT")
    const sync = bun.spawnSync(["sh", "-c", "cat; exit 1"], { stdin: Buffer.from("x"), env: { PATH: bun.env["PATH"] } })
    expect([sync.stdout?.toString(), sync.exitCode, sync.success]).toEqual(["x", 1, false])
    expect(() => bun.spawnSync(["no-such-program"])).toThrow("ENOENT")
    expect(() => bun.spawn([])).toThrow("no program")
  })

  it("finds programs and files, waits, and hashes", async () => {
    expect(bun.which("sh")).toMatch(/^\/.*\/sh$/)
    expect([bun.which("no-such-program"), bun.which("sh", { PATH: directory })]).toEqual([null, null])
    await mkdir(join(directory, "deep"), { recursive: true })
    await writeFile(join(directory, "deep", "x.ts"), "")
    await writeFile(join(directory, "deep", ".hidden.ts"), "")
    const glob = new bun.Glob("**/*.ts")
    expect([[...glob.scanSync(directory)], glob.match("a/b.ts"), glob.match("a/b.js")]).toEqual([
      ["deep/x.ts"],
      true,
      false,
    ])
    const found: string[] = []
    for await (const path of glob.scan({ cwd: directory, absolute: true })) found.push(path)
    expect(found).toEqual([join(directory, "deep", "x.ts")])
    await bun.sleep(1)
    bun.sleepSync(1)
    expect(typeof bun.hash("a")).toBe("bigint")
    expect([
      bun.hash("a") === bun.hash("a"),
      bun.hash("a") === bun.hash("b"),
      bun.hash("a", 1) === bun.hash("a"),
    ]).toEqual([true, false, false])
    expect(new bun.CryptoHasher("sha256").update("a").digest("hex")).toMatch(/^ca978112/)
    expect(bun.escapeHTML("<a href='x'>")).toBe("&lt;a href=&#x27;x&#x27;&gt;")
    expect(bun.env).toBe(process.env)
  })

  it.each(missingParts)("says by name that %s is not there", (name) => {
    expect(() => bun[name]()).toThrow(`Bun.${name} is not available`)
  })

  it("says so of what its missing parts have, and lets itself be asked for them", async () => {
    expect(() => (bun.semver as unknown as { satisfies(): void }).satisfies()).toThrow(
      "Bun.semver.satisfies is not available",
    )
    expect(() => (bun.YAML as unknown as { parse(): void }).parse()).toThrow("Bun.YAML.parse is not available")
    expect(typeof bun.build).toBe("function")
    expect(await Promise.resolve(bun.password)).toBe(bun.password)
  })

  it("is global only once a plugin of OpenCode is there, and goes away again", () => {
    const scope = globalThis as { Bun?: unknown }
    expect("Bun" in scope).toBe(false)
    const host = { directory, worktree: directory, version: "1", project: { id: "p", time: { created: 1 } } }
    const none = { config: () => ({}), agents: () => [], commands: () => [], providers: () => [] }
    const adapter = opencodeAdapter({ ...host, ...none, log: () => undefined, toast: () => undefined })
    expect("Bun" in scope).toBe(false)
    const remove = adapter.installBun()
    expect((scope.Bun as typeof bun).which("sh")).toBe(bun.which("sh"))
    // An existing `Bun` is kept.
    installBun(bun)()
    expect("Bun" in scope).toBe(true)
    remove()
    expect("Bun" in scope).toBe(false)
    adapter.adapt({ default: async () => ({}) }, { id: "x" })
    expect("Bun" in scope).toBe(true)
    delete scope.Bun
  })
})

describe("modules that plugins count on", () => {
  it("are found by their names", async () => {
    const modules = createModules({ aliases: moduleAliases, fallbacks: moduleFallbacks })
    const file = join(directory, "plugin.ts")
    await writeFile(
      file,
      `import { tool } from "@opencode-ai/plugin"
       import { tool as same } from "@opencode-ai/plugin/tool"
       import Bun, { $, file as open, listen, sleep } from "bun"
       import { Database } from "bun:sqlite"
       import { dlopen } from "bun:ffi"
       import { spawn } from "bun-pty"
       import { createOpencodeClient } from "@opencode-ai/sdk"
       import * as zod from "zod"
       import { z } from "zod/v4"
       const told = (run: () => unknown) => { try { return run() } catch (error) { return String(error) } }
       export const isSame = tool === same && Bun.$ === $ && open === Bun.file && typeof sleep === "function"
       export const rows = new Database().query("SELECT 1 AS one").all()
       export const fallbacks = [typeof createOpencodeClient, zod.z === z, zod.default.string === z.string]
       export const schema = tool.schema.string().safeParse("x").success
       export const errors = [told(() => dlopen()), told(() => spawn("no-such")), told(() => listen({}))]`,
    )
    const imported = await modules.import(file, { deadline: 100_000 })
    modules.close()
    expect(imported).toMatchObject({
      exports: {
        ...{ isSame: true, schema: true, rows: [{ one: 1 }], fallbacks: ["function", true, true] },
        errors: [
          expect.stringContaining("dlopen of bun:ffi is not available"),
          expect.stringContaining('there is no program "no-such"'),
          expect.stringContaining("Bun.listen is not available"),
        ],
      },
    })
  })
})
