import { testRun } from "../facts/failing-tests.ts"
import { type Deadlines, within } from "../base/deadlines.ts"
import { messageOf } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import { decidePermission, type PermissionRules } from "../permission/rules.ts"
import type { Storage } from "../contracts/storage.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import { type OutputLimits, truncate, truncateBytes } from "../measure/truncate.ts"

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

interface OutputPlace extends OutputReader {
  readonly signal: AbortSignal
  readonly callID: string
  readonly keep: "head" | "tail"
}

export interface OutputCut extends OutputPlace {
  readonly limits: OutputLimits
}

/** Bytes that a note may add to an output that was truncated. */
const NOTE_BYTES = 4096

interface Output {
  readonly output: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** What an output has lost so far. Stored in `metadata.cut`, so that a second cut replaces the note of the first. */
interface Cut {
  readonly lines: number
  readonly bytes: number
  readonly hint: string
}

/**
 * Returns the output within the limits, with a note that tells the model how to reach the rest, which is kept as a blob.
 * An output whose tool has set `metadata.truncated` stays as it is, unless it is long all the same. Never rejects: the
 * tool has run, and its effect must not be lost because its output cannot be kept.
 */
export async function shortenOutput<O extends Output>(deps: LongOutputDeps, cut: OutputCut, whole: O): Promise<O> {
  const { limits: outputLimits, keep } = cut
  const limits = whole.metadata["truncated"] === true ? alreadyCut(outputLimits) : outputLimits
  const shown = truncate(whole.output, keep, limits)
  return shown ? withNote(deps, cut, whole, { ...shown, before: undefined }) : whole
}

/**
 * Returns the output with at most `bytes` bytes, its note included. The text keeps a short piece however small the limit
 * is: the model has to see of what the rest is.
 */
export async function cutOutput<O extends Output>(
  deps: LongOutputDeps,
  cut: OutputPlace & { readonly bytes: number },
  shown: O,
): Promise<O> {
  const before = cutBefore(shown)
  const text = before ? withoutNote(shown.output, noteOf(before)) : shown.output
  const noteBytes = before ? Buffer.byteLength(noteOf(before)) + SEPARATOR.length : TYPICAL_NOTE_BYTES
  const shorter = truncateBytes(text, cut.keep, Math.max(SHORTEST_TEXT_BYTES, cut.bytes - noteBytes))
  return shorter ? withNote(deps, cut, { ...shown, output: text }, { ...shorter, before }) : shown
}

const SHORTEST_TEXT_BYTES = 120
const TYPICAL_NOTE_BYTES = 200
const SEPARATOR = "\n\n"

async function withNote<O extends Output>(
  deps: LongOutputDeps,
  cut: OutputPlace,
  whole: O,
  shown: { readonly text: string; readonly droppedLines: number; readonly before: Cut | undefined },
): Promise<O> {
  const { before, text } = shown
  const kept = before ? { hint: before.hint, metadata: {} } : await keepWhole(deps, cut, whole)
  const lost: Cut = {
    lines: shown.droppedLines + (before?.lines ?? 0),
    bytes: Buffer.byteLength(whole.output) - Buffer.byteLength(text) + (before?.bytes ?? 0),
    hint: kept.hint,
  }
  const note = noteOf(lost)
  const output = cut.keep === "head" ? `${text}${SEPARATOR}${note}` : `${note}${SEPARATOR}${text}`
  const metadata = { ...whole.metadata, ...testsIn(whole), ...kept.metadata, truncated: true, cut: { ...lost } }
  return { ...whole, output, metadata }
}

function noteOf({ lines, bytes, hint }: Cut): string {
  return `... ${lines > 0 ? `${lines} lines` : `${bytes} bytes`} truncated. ${hint}`
}

function cutBefore({ metadata }: Output): Cut | undefined {
  const { lines, bytes, hint } = (metadata["cut"] ?? {}) as { readonly [K in keyof Cut]?: unknown }
  return typeof lines === "number" && typeof bytes === "number" && typeof hint === "string"
    ? { lines, bytes, hint }
    : undefined
}

/** A hook may have changed an output after it was cut: then the note is a part of the text like any other. */
function withoutNote(output: string, note: string): string {
  if (output.startsWith(`${note}${SEPARATOR}`)) return output.slice(note.length + SEPARATOR.length)
  const at = output.lastIndexOf(`${SEPARATOR}${note}`)
  return at < 0 ? output : output.slice(0, at) + output.slice(at + SEPARATOR.length + note.length)
}

/** The tests that failed in a command's run, before their names are cut away. */
function testsIn({ output, metadata }: Output): Readonly<Record<string, unknown>> {
  const { exit, tests } = metadata
  if (exit === undefined || tests !== undefined) return {}
  return { tests: testRun(output, typeof exit === "number" ? exit : undefined) }
}

function alreadyCut({ bytes }: OutputLimits): OutputLimits {
  return { lines: Infinity, bytes: bytes + NOTE_BYTES }
}

async function keepWhole(
  { storage, keepOutput, deadlines }: LongOutputDeps,
  { signal, canDelegate, callID }: OutputPlace,
  { output, metadata }: Output,
): Promise<{ hint: string; metadata: JSONObject }> {
  const keeping = async () => {
    // A tool that has cut its output by itself has kept more of it than stands here.
    const isKept = metadata["truncated"] === true && typeof metadata["blob"] === "string" && !metadata["cut"]
    const blob = isKept ? undefined : await storage.blobs.put(Buffer.from(output))
    const hint = (await keepOutput?.(callID, output, { canDelegate })) ?? "Narrow the call down to see the rest."
    return { hint, metadata: blob === undefined ? {} : { blob } }
  }
  const late = () => new Error(`storing it took longer than ${deadlines.tool / 1000} s`)
  try {
    return await within(deadlines.tool, keeping(), late, signal)
  } catch (error) {
    return { hint: `The rest could not be kept: ${messageOf(error)}`, metadata: {} }
  }
}
