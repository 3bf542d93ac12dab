import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Child, createTestLocation, processSpecs, testStorageProcesses } from "../src/processes/index.ts"
import { breakages } from "./broken-storage.ts"

const url = (directory: string) => `sqlite:${join(directory, "pawl.db")}`
const sqlite = new URL("../../storage-sqlite/src/index.ts", import.meta.url).href

testStorageProcesses("sqlite", { module: sqlite, url })

/** For each broken storage, the spec that must notice it and what that says. */
const noticed: Readonly<Record<keyof typeof breakages, readonly [spec: string, complaint: RegExp]>> = {
  "acknowledges commits that it does not make": [
    "takes the commits of processes that make the location together",
    /to deeply equal/,
  ],
  "acknowledges commits long before it makes them": [
    "keeps every acknowledged commit of a killed writer, and none by half",
    /greater than or equal/,
  ],
  "makes a commit in two": ["keeps every acknowledged commit of a killed writer, and none by half", /to deeply equal/],
  "keeps a session for its owner, whether that lives or not": [
    "gives the session of a killed owner to the next at once",
    /expected undefined to be 2/,
  ],
  "takes every process for dead": ["keeps the session for an owner that is stopped but lives", /to be undefined/],
  "does not look at the lease of a commit": [
    "refuses the commits of an owner that was stopped until another took its session",
    /expected 'committed' to be 'StaleLeaseError'/,
  ],
  "tells its watchers nothing": ["tells a watcher of what another process commits", /expected undefined to be 21/],
}

describe("testStorageProcesses", () => {
  it("has a broken storage for every spec, which shows that the spec can fail", () => {
    expect(new Set(Object.values(noticed).map(([spec]) => spec))).toEqual(new Set(Object.keys(processSpecs)))
  })

  it.each(Object.keys(breakages))("notices a storage that %s", async (breakage) => {
    const [spec = "", complaint] = noticed[breakage] ?? []
    const number = Object.keys(breakages).indexOf(breakage)
    const module = new URL("broken-storage.ts", import.meta.url).href
    const place = await createTestLocation({ module, url: (directory) => `${number}+${url(directory)}` })
    await expect(processSpecs[spec]?.(place)).rejects.toThrow(complaint)
  })

  it("refuses to skip what it does not know, or without a reason", () => {
    const skipping = (spec: string, reason: string) => () => {
      testStorageProcesses("refused", { module: "", url, skip: [{ spec, reason }] })
    }
    expect(skipping("anything", "no reason")).toThrow('"anything" is to be skipped, but no spec has that name.')
    expect(skipping(Object.keys(processSpecs)[0] ?? "", " ")).toThrow("without a reason. Give one.")
  })

  it("says so where a module opens no storage", async () => {
    const place = await createTestLocation({ module: new URL("../src/writes.ts", import.meta.url).href, url })
    await expect(place.open()).rejects.toThrow("exports no openStorage(url)")
  })
})

describe("startChild", () => {
  let left: Child | undefined

  it("runs a script, line by line", async () => {
    const place = await createTestLocation({ module: sqlite, url })
    left = place.start("commit-forever")
    expect(await left.lines.next()).toEqual({ value: "2", done: false })
  })

  it("has ended what still ran when its test did", async () => {
    expect(await left?.ended).toEqual({ code: null, signal: "SIGKILL", stderr: "" })
  })
})
