import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { PluginReport } from "@pawl/core/plugin"
import { withLock } from "@pawl/process-lock"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"

/** Statistics of a plugin's hook over all finished runs. */
export interface RecordedCall {
  readonly count: number
  readonly failures: number
  /** The 95th percentile in milliseconds, from the latest run that called it. */
  readonly p95: number
}

/** By the hook's name. */
export type RecordedCalls = Readonly<Record<string, RecordedCall>>

interface Entry {
  readonly id: string
  readonly calls: RecordedCalls
}

/** Only the plugins that were called last are stored. */
const MAX_PLUGINS = 100

/** Returns the calls by plugin. Never rejects: an unreadable file counts as empty. */
export async function readCalls(dataDirectory: string): Promise<ReadonlyMap<string, RecordedCalls>> {
  return new Map((await readEntries(dataDirectory)).map(({ id, calls }) => [id, calls]))
}

/** Adds the calls of a run. Several processes may do this at the same time. */
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
      // The order is by last call, newest last.
      known.delete(id)
      known.set(id, sum)
    }
    const plugins = Array.from(known, ([id, calls]): Entry => ({ id, calls })).slice(-MAX_PLUGINS)
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
    // A lost statistic must not fail a run.
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
