import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { PluginReport } from "@pawl/core/plugin"
import { withLock } from "@pawl/process-lock"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"

/** How a plugin's hook did in all runs that came to their end. */
export interface RecordedCall {
  readonly count: number
  readonly failures: number
  /** Milliseconds that 95 of 100 calls took at most, in the run that called it last. */
  readonly p95: number
}

/** By hook. */
export type RecordedCalls = Readonly<Record<string, RecordedCall>>

interface Entry {
  readonly id: string
  readonly calls: RecordedCalls
}

/** Plugins that are remembered, those that were called last. */
const MOST = 100

/** By plugin. Never rejects: of what cannot be read nothing is known. */
export async function readCalls(dataDirectory: string): Promise<ReadonlyMap<string, RecordedCalls>> {
  return new Map((await readEntries(dataDirectory)).map(({ id, calls }) => [id, calls]))
}

/** Adds what plugins did in a run. Several processes may do so at once. */
export async function recordCalls(
  dataDirectory: string,
  reports: readonly Pick<PluginReport, "id" | "calls">[],
): Promise<void> {
  const called = reports.filter(({ calls }) => Object.keys(calls).length > 0)
  if (called.length === 0) return
  await privateDirectory(dataDirectory)
  const path = pathOf(dataDirectory)
  await withLock(`${path}.lock`, async () => {
    const known = new Map((await readEntries(dataDirectory)).map(({ id, calls }) => [id, calls]))
    for (const { id, calls } of called) {
      const sum = added(known.get(id) ?? {}, calls)
      // The newest stand last.
      known.delete(id)
      known.set(id, sum)
    }
    const plugins = Array.from(known, ([id, calls]): Entry => ({ id, calls })).slice(-MOST)
    await writeDurably(path, (write) => write(`${JSON.stringify({ version: 1, plugins })}\n`))
  })
}

function added(before: RecordedCalls, calls: RecordedCalls): RecordedCalls {
  const sums = Object.entries(calls).map(([hook, { count, failures, p95 }]) => {
    const old = before[hook]
    return [hook, { count: count + (old?.count ?? 0), failures: failures + (old?.failures ?? 0), p95 }] as const
  })
  return { ...before, ...Object.fromEntries(sums) }
}

async function readEntries(dataDirectory: string): Promise<readonly Entry[]> {
  try {
    const { version, plugins } = JSON.parse(await readFile(pathOf(dataDirectory), "utf8")) as {
      readonly version?: unknown
      readonly plugins?: unknown
    }
    return version === 1 && Array.isArray(plugins) ? plugins.filter(isEntry) : []
  } catch {
    // Counts are no reason for anything to fail.
    return []
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || typeof value["id"] !== "string" || !isRecord(value["calls"])) return false
  return Object.values(value["calls"]).every((call) => {
    return isRecord(call) && [call["count"], call["failures"], call["p95"]].every((each) => typeof each === "number")
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function pathOf(dataDirectory: string): string {
  return join(dataDirectory, "plugin-calls.json")
}
