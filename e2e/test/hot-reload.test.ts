import { readdirSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { createEngine, type Engine } from "@pawl/core"
import type { ModelRequest } from "@pawl/core/provider"
import { createModules, createPluginLoader } from "@pawl/plugin-loader"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it, onTestFinished } from "vitest"
import { followPlugins } from "../src/follow-plugins.ts"
import { createReloadLedger, namedVersions } from "../src/reload-ledger.ts"
import { createPluginFiles, type PluginFiles, writeVersion } from "../src/reloaded-plugins.ts"
import { steppingModel } from "../src/stepping-model.ts"

/** `HOT_RELOADS=1000` writes so many, and says how long they took and what they left behind. */
const COUNT = Number(process.env["HOT_RELOADS"] ?? 150)
const WRITES_FIGURES = process.env["HOT_RELOADS"] !== undefined
/** Several, because changes of one file are told at most every 50 ms. */
const NAMES = ["a", "b", "c", "d"]
/** Of so many versions three are written to one plugin at once; the first two may never be seen. */
const BURST = 10
/** Versions at both ends of the run whose memory is compared. */
const STRETCH = Math.floor(COUNT / 10)

it(`works with ${COUNT} new versions of plugins as they are written, and leaves nothing of the old ones`, async () => {
  const here = await place()
  const { ledger, engine, model, problems, steps } = here
  const events: string[] = []
  engine.subscribe(({ id, type }) => void (type !== "plugin.error" && events.push(id)))
  const session = await engine.createSession({ directory: here.directory })
  const run = engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Look." }] })

  const latencies: number[] = []
  const heap: number[] = []
  const handles: number[] = []
  for (let version = 1; version <= COUNT; version++) {
    const place = version % BURST
    const began = performance.now()
    const name = await here.write(version, place < 3 ? Math.floor(version / BURST) : version)
    if (place < 2 && version < COUNT) continue
    await here.wait(name, version)
    latencies.push(performance.now() - began)
    model.release()
    if (version % STRETCH !== STRETCH - 1 && version !== COUNT) continue
    collectGarbage()
    heap.push(process.memoryUsage().heapUsed)
    handles.push(openHandles())
  }
  await expect.poll(() => ledger.versions()).toBe(here.written())
  model.end()
  expect(await run).toMatchObject({ type: "answered" })
  expect(problems).toEqual([])
  expect(steps.length).toBeGreaterThan(COUNT / 2)

  // No step has half of two versions, and none an older one than what was told before it began.
  expect(steps.filter(({ shown, offered }) => shown !== offered)).toEqual([])
  expect(steps.filter(({ shown, due }) => isOlder(shown, due))).toEqual([])
  const of = (what: string) => ledger.lines.filter((line) => line.what === what)
  const calls = of("executed").map(({ about }) => about)
  expect(calls).toEqual(steps.slice(0, -1).map((_, at) => `call_${at + 1}`))
  for (const [at, { shown }] of steps.slice(0, -1).entries()) {
    const lines = ledger.lines.filter(({ about }) => about === `call_${at + 1}`)
    const told = (what: string) =>
      namedVersions(lines.filter((line) => line.what === what).map(({ plugin, version }) => [plugin, version]))
    expect([told("before"), told("after completed")]).toEqual([shown, shown])
    expect(shown).toContain(told("executed"))
  }

  // Each event once, to the version in place; what was started is disposed once, and told of nothing afterwards.
  await here.end()
  for (const name of NAMES) {
    const own = of("event").flatMap(({ plugin, about }) => (plugin === name ? [String(about)] : []))
    expect(own.toSorted(byText)).toEqual(events.toSorted(byText))
  }
  const names = (what: string) => of(what).map(({ plugin, version }) => `${plugin} ${version}`)
  expect(new Set(names("started")).size).toBe(names("started").length)
  expect(names("disposed").toSorted()).toEqual(names("started").toSorted())
  const last = new Map(ledger.lines.map(({ plugin, version, what }) => [`${plugin} ${version}`, what]))
  expect([...last.values()].filter((what) => what !== "disposed")).toEqual([])

  // A version holds 160 kB and more.
  await expect
    .poll(() => (collectGarbage(), here.references.filter((each) => each.deref()).length))
    .toBeLessThanOrEqual(NAMES.length)
  expect((heap.at(-1) ?? 0) / (heap[0] ?? 1)).toBeLessThan(1.5)
  expect(handles.at(-1)).toBeLessThanOrEqual((handles[0] ?? 0) + 2)
  if (WRITES_FIGURES) writeFigures({ latencies, heap, handles, loaded: names("started").length - NAMES.length })
})

async function place() {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-reload-")))
  onTestFinished(() => rm(directory, { recursive: true }))
  const ledger = createReloadLedger()
  const references: WeakRef<object>[] = []
  const problems: string[] = []
  const steps: { readonly shown: string; readonly offered: string; readonly due: string }[] = []
  let due = ""
  const model = steppingModel({
    toolOf: (step) => `look_${NAMES[step % NAMES.length]}`,
    onRequest: (request) => void steps.push({ ...versionsIn(request), due }),
    onRelease: () => void (due = ledger.versions()),
  })
  const files = new Map<string, PluginFiles>()
  for (const name of NAMES) files.set(name, await createPluginFiles(directory, name))

  const modules = createModules()
  const loader = createPluginLoader({ cache: join(directory, "cache"), modules })
  const remember = (hooks: object) => void references.push(new WeakRef(hooks))
  const options = { tell: ledger.tell, remember, linger: () => model.linger() }
  const specs = NAMES.map((name) => ({ spec: `./plugins/${name}.ts`, source: { directory }, options }))
  const first = await loader.load({ specs })
  expect(first.problems).toEqual([])
  const engine: Engine = await createEngine({
    storage: memoryStorage(),
    providers: [{ id: "test", name: "test", models: async () => [model.info], model: async () => model }],
    model: model.ref,
    plugins: first.entries,
  })
  const waiting = new Set<() => void>()
  const unfollow = await followPlugins({
    ...{ engine, loader, specs, files: first.files },
    onReload(wrong) {
      problems.push(...wrong)
      for (const told of waiting) told()
    },
  })
  const written = new Map(NAMES.map((name) => [name, 0]))
  return {
    ...{ directory, ledger, references, problems, steps, model, engine },
    written: () => namedVersions(written),
    async write(version: number, turn: number): Promise<string> {
      const name = NAMES[turn % NAMES.length] as string
      written.set(name, version)
      await writeVersion(name, files.get(name) as PluginFiles, version)
      return name
    },
    /** Until the version has been taken, or fails. */
    async wait(name: string, version: number) {
      while (ledger.newest.get(name) !== version) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        const told = () => resolve(true)
        waiting.add(told)
        const timer = new AbortController()
        const isTold = await Promise.race([promise, sleep(100_000, false, { signal: timer.signal })])
        timer.abort()
        waiting.delete(told)
        if (!isTold) throw new Error(`Version ${version} of ${name} was written, and ${ledger.versions()} are there.`)
      }
    },
    async end() {
      await unfollow()
      await engine.close()
      modules.close()
    },
  }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}

/** What the plugins added to the system prompt, and the tools that they offer. */
function versionsIn({ system, tools }: ModelRequest) {
  const shown = [...system.join("\n").matchAll(/^([a-z])=(\d+)$/gm)].map(([, name = "", version]) => {
    return [name, Number(version)] as const
  })
  const offered = tools.flatMap(({ name, description }) =>
    name.startsWith("look_") ? [[name.slice(5), Number(description)] as const] : [],
  )
  return { shown: namedVersions(shown), offered: namedVersions(offered) }
}

function isOlder(shown: string, due: string): boolean {
  const versions = new Map(shown.split(" ").map((each) => each.split("=") as [string, string]))
  return due.split(" ").some((each) => {
    const [name = "", version] = each.split("=")
    return Number(versions.get(name)) < Number(version)
  })
}

/** Node offers it behind a flag, which can be set while it runs. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
}

/** Files, sockets and pipes of this process where the system tells, and listeners of the process. */
function openHandles(): number {
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const resources = process.getActiveResourcesInfo().filter((kind) => kind !== "Timeout" && kind !== "Immediate").length
  try {
    return listeners + resources + readdirSync("/proc/self/fd").length
  } catch {
    return listeners + resources
  }
}

interface Figures {
  readonly latencies: readonly number[]
  readonly heap: readonly number[]
  readonly handles: readonly number[]
  readonly loaded: number
}

function writeFigures({ latencies, heap, handles, loaded }: Figures): void {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  const kilobytes = ((heap.at(-1) ?? 0) - (heap[0] ?? 0)) / 1000
  process.stdout.write(
    `${COUNT} written, ${loaded} loaded · file to notice p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(0.999)} ms · ` +
      `${(kilobytes / loaded).toFixed(1)} kB per reload, heap ${heap.map((bytes) => Math.round(bytes / 1e6)).join(" ")} MB · ` +
      `handles ${handles.join(" ")}\n`,
  )
}
