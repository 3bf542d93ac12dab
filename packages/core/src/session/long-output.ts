import { testRun } from "../context/ledger/failing-tests.ts"
import { type Deadlines, within } from "../deadlines.ts"
import { messageOf } from "../errors.ts"
import type { JSONObject } from "../json.ts"
import { decidePermission, type PermissionRules } from "../permission/rules.ts"
import type { Storage } from "../storage/storage.ts"
import type { ToolSet } from "../tool/tool-set.ts"
import { type OutputLimits, truncate } from "../tool/truncate.ts"

export interface LongOutputDeps {
  readonly storage: Pick<Storage, "blobs">
  readonly deadlines: Pick<Deadlines, "tool">
  readonly keepOutput?: KeepOutput | undefined
}

/** Keeps the whole of an output that was truncated; resolves with a sentence that tells its reader how to reach it. */
export type KeepOutput = (callID: string, output: string, reader: OutputReader) => Promise<string>

export interface OutputReader {
  /** Whether the model may hand the looking through it to a subagent. */
  readonly canDelegate: boolean
}

/** Whether an agent may delegate without asking: a tool `task` is offered to it, and allowed. */
export function mayDelegate(scene: {
  readonly tools: Pick<ToolSet, "definitions">
  readonly rules: PermissionRules
}): boolean {
  const isOffered = scene.tools.definitions.some(({ name }) => name === "task")
  return isOffered && decidePermission(scene.rules, { permission: "task", patterns: ["*"] }).action === "allow"
}

export interface OutputCut extends OutputReader {
  readonly signal: AbortSignal
  readonly limits: OutputLimits
  readonly callID: string
  readonly keep: "head" | "tail"
}

/** Bytes that a note may add to an output that was truncated. */
const NOTE = 4096

interface Output {
  readonly output: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * The same with as much of its output as the limits allow, and a note on how to reach the rest, which is kept as a
 * blob. What says in `metadata.truncated` that it is cut already stays as it is, unless it is long all the same. Never
 * rejects: the tool has run, and what it did is not to be lost because its output cannot be kept.
 */
export async function shortenOutput<O extends Output>(deps: LongOutputDeps, cut: OutputCut, whole: O): Promise<O> {
  const { limits: outputLimits, callID, keep } = cut
  const limits = whole.metadata["truncated"] === true ? alreadyCut(outputLimits) : outputLimits
  const shown = truncate(whole.output, keep, limits)
  if (!shown) return whole
  const { hint, metadata } = await keepWhole(deps, cut, callID, whole.output)
  const droppedBytes = Buffer.byteLength(whole.output) - Buffer.byteLength(shown.text)
  const dropped = shown.droppedLines > 0 ? `${shown.droppedLines} lines` : `${droppedBytes} bytes`
  const note = `... ${dropped} truncated. ${hint}`
  const output = keep === "head" ? `${shown.text}\n\n${note}` : `${note}\n\n${shown.text}`
  const kept = { ...whole.metadata, ...testsIn(whole), ...metadata, truncated: true }
  return { ...whole, output, metadata: kept }
}

/** The tests that failed in a command's run, before their names are cut away. */
function testsIn({ output, metadata }: Output): Readonly<Record<string, unknown>> {
  const { exit, tests } = metadata
  if (exit === undefined || tests !== undefined) return {}
  return { tests: testRun(output, typeof exit === "number" ? exit : undefined) }
}

function alreadyCut({ bytes }: OutputLimits): OutputLimits {
  return { lines: Infinity, bytes: bytes + NOTE }
}

async function keepWhole(
  { storage, keepOutput, deadlines }: LongOutputDeps,
  { signal, canDelegate }: Pick<OutputCut, "signal" | "canDelegate">,
  callID: string,
  output: string,
): Promise<{ hint: string; metadata: JSONObject }> {
  const keeping = async () => {
    const blob = await storage.blobs.put(Buffer.from(output))
    const hint = (await keepOutput?.(callID, output, { canDelegate })) ?? "Narrow the call down to see the rest."
    return { hint, metadata: { blob } }
  }
  const late = () => new Error(`storing it took longer than ${deadlines.tool / 1000} s`)
  try {
    return await within(deadlines.tool, keeping(), late, signal)
  } catch (error) {
    return { hint: `The rest could not be kept: ${messageOf(error)}`, metadata: {} }
  }
}
