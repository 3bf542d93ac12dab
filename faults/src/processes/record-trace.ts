import { readFile } from "node:fs/promises"
import { parseTrace, type TraceEvent } from "../crash-states/system-call.ts"
import { replayedCalls } from "../crash-states/replay.ts"
import { type ChildName, type ChildPlace, startWork, startChild } from "./child.ts"
import { attachStrace, endOf } from "./strace.ts"

/** Runs a child to its end and returns its calls that change files. Rejects if the child fails. Writes `file`. */
export async function recordTrace(
  place: ChildPlace,
  name: ChildName,
  options: unknown,
  { file, wrapper }: { readonly file: string; readonly wrapper: readonly string[] },
): Promise<TraceEvent[]> {
  const child = await startChild(place, name, options, wrapper)
  const calls = `trace=${replayedCalls.join(",")}`
  const strace = await attachStrace(place.processes, child, ["-xx", "-s", "16000000", "-o", file, "-e", calls])
  startWork(child)
  const { status, errors } = await endOf(child, strace)
  if (status !== 0) throw new Error(`The ${name} failed with ${status}: ${errors}`)
  return [...parseTrace(await readFile(file, "utf8"))]
}
