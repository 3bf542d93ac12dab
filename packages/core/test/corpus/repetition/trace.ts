import type { JSONObject } from "../../../src/base/json.ts"

/** A call with its result, as a model would make it. */
export interface TraceCall {
  readonly tool: string
  readonly args: JSONObject
  readonly output: string
  readonly failed?: boolean
}

/** What happens in a session, in order. `compact` leaves the newest `keep` answers in the context. */
export type TraceEvent =
  | { readonly type: "answer"; readonly text: string; readonly calls: readonly TraceCall[] }
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "compact"; readonly keep: number }

export interface Trace {
  readonly name: string
  /** Whether the model repeats itself without getting anywhere, as a person who reads along would say. */
  readonly isLoop: boolean
  readonly events: readonly TraceEvent[]
}

export function loop(name: string, ...events: (TraceEvent | readonly TraceEvent[])[]): Trace {
  return { name, isLoop: true, events: events.flat() }
}

export function honest(name: string, ...events: (TraceEvent | readonly TraceEvent[])[]): Trace {
  return { name, isLoop: false, events: events.flat() }
}

/** An answer that makes these calls side by side. */
export function step(...calls: TraceCall[]): TraceEvent {
  return { type: "answer", text: "", calls }
}

export function say(text: string, ...calls: TraceCall[]): TraceEvent {
  return { type: "answer", text, calls }
}

export function prompt(text: string): TraceEvent {
  return { type: "prompt", text }
}

export function compact(keep = 0): TraceEvent {
  return { type: "compact", keep }
}

/** The same `count` times; `round` counts from 1. */
export function times(
  count: number,
  events: (round: number) => TraceEvent | readonly TraceEvent[],
): readonly TraceEvent[] {
  return Array.from({ length: count }, (_, at) => events(at + 1)).flat()
}

export function call(tool: string, args: JSONObject, output: string): TraceCall {
  return { tool, args, output }
}

/** The same call, ending with an error. */
export function failing({ tool, args }: TraceCall, error: string): TraceCall {
  return { tool, args, output: error, failed: true }
}

export function read(filePath: string, output: string, page: { offset?: number; limit?: number } = {}): TraceCall {
  return call("read", { filePath, ...page }, output)
}

export function grep(pattern: string, output: string, path = "."): TraceCall {
  return call("grep", { pattern, path }, output)
}

export function glob(pattern: string, output: string): TraceCall {
  return call("glob", { pattern }, output)
}

export function list(path: string, output: string): TraceCall {
  return call("list", { path }, output)
}

export function edit(filePath: string, oldString: string, newString: string): TraceCall {
  const output = `Edited ${filePath}\n- ${oldString}\n+ ${newString}`
  return call("edit", { filePath, oldString, newString }, output)
}

export function write(filePath: string, content: string): TraceCall {
  return call("write", { filePath, content }, `Wrote ${filePath}`)
}

/** A command; models describe the same one in other words each time. */
export function bash(command: string, output: string, exit = 0, description = ""): TraceCall {
  const status = exit === 0 ? "" : `\n\n<shell_metadata>\nExit code: ${exit}\n</shell_metadata>`
  return call("bash", { command, ...(description ? { description } : {}) }, output + status)
}

/** What a job in the background has written so far. */
export function job(id: string, output: string): TraceCall {
  return call("job_output", { id }, output)
}
