import { type Deadlines, within } from "../base/deadlines.ts"
import { messageOf } from "../base/errors.ts"
import type { JSONObject } from "../base/json.ts"
import { decidePermission, type PermissionRules } from "../permission/rules.ts"
import type { OutputFacts } from "../contracts/output-facts.ts"
import type { Storage } from "../contracts/storage.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import { type OutputLimits, truncate, truncateBytes } from "../measure/truncate.ts"

export interface LongOutputDeps {
  readonly store: { readonly storage: Pick<Storage, "blobs">; readonly deadlines: Pick<Deadlines, "tool"> }
  readonly calls: { readonly outputFacts: OutputFacts; readonly keepOutput?: KeepOutput | undefined }
}

/** Keeps the whole of a truncated output. Resolves with a sentence that tells the model how to reach it. */
export type KeepOutput = (callID: string, output: string, reader: OutputReader) => Promise<string>

export interface OutputReader {
  /** Set if the model may let a subagent search the output. */
  readonly canDelegate: boolean
}

/** Returns whether an agent may delegate without asking: the tool `task` is offered and allowed. */
export function mayDelegate(context: {
  readonly tools: Pick<ToolSet, "definitions">
  readonly rules: PermissionRules
}): boolean {
  const isOffered = context.tools.definitions.some(({ name }) => name === "task")
  return isOffered && decidePermission(context.rules, { permission: "task", patterns: ["*"] }).action === "allow"
}

interface OutputPlace extends OutputReader {
  readonly signal: AbortSignal
  readonly callID: string
  readonly keep: "head" | "tail"
}

export interface OutputCut extends OutputPlace {
  readonly limits: OutputLimits
}

/** Maximum bytes that a note adds to a truncated output. */
const MAX_NOTE_BYTES = 4096

interface Output {
  readonly output: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The loss of an output so far. Stored in `metadata.cut`, so that a second cut replaces the note of the first. */
interface Cut {
  readonly lines: number
  readonly bytes: number
  readonly hint: string
}

/**
 * Returns the output within the limits, with a note that tells the model how to reach the rest, which is kept as a
 * blob. An output whose tool has set `metadata.truncated` stays unchanged, unless it is still too long. Never rejects:
 * the tool has run, and its effect must not be lost because its output cannot be kept.
 */
export async function shortenOutput<O extends Output>(deps: LongOutputDeps, cut: OutputCut, whole: O): Promise<O> {
  const { limits: outputLimits, keep } = cut
  const limits = whole.metadata["truncated"] === true ? alreadyCut(outputLimits) : outputLimits
  const shown = truncate(whole.output, keep, limits)
  return shown ? withNote(deps, cut, whole, { ...shown, before: undefined }) : whole
}

/**
 * Returns the output with at most `bytes` bytes, including its note. Keeps a short piece of the text at any limit, so
 * that the model can recognize it.
 */
export async function cutOutput<O extends Output>(
  deps: LongOutputDeps,
  cut: OutputPlace & { readonly bytes: number },
  shown: O,
): Promise<O> {
  const before = cutBefore(shown)
  const text = before ? withoutNote(shown.output, noteOf(before)) : shown.output
  const noteBytes = before ? Buffer.byteLength(noteOf(before)) + SEPARATOR.length : TYPICAL_NOTE_BYTES
  const shorter = truncateBytes(text, cut.keep, Math.max(MIN_TEXT_BYTES, cut.bytes - noteBytes))
  return shorter ? withNote(deps, cut, { ...shown, output: text }, { ...shorter, before }) : shown
}

const MIN_TEXT_BYTES = 120
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
  const metadata = { ...whole.metadata, ...testsIn(deps, whole), ...kept.metadata, truncated: true, cut: { ...lost } }
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

/**
 * Removes the note of an earlier cut. If a hook has changed the output since, the note may be kept as a part of the
 * text.
 */
function withoutNote(output: string, note: string): string {
  if (output.startsWith(`${note}${SEPARATOR}`)) return output.slice(note.length + SEPARATOR.length)
  const at = output.lastIndexOf(`${SEPARATOR}${note}`)
  return at < 0 ? output : output.slice(0, at) + output.slice(at + SEPARATOR.length + note.length)
}

/** Returns the failed tests of a command's output, before their names are cut away. */
function testsIn(
  { calls }: Pick<LongOutputDeps, "calls">,
  { output, metadata }: Output,
): Readonly<Record<string, unknown>> {
  const { exit, tests } = metadata
  if (exit === undefined || tests !== undefined) return {}
  return { tests: calls.outputFacts.testRun(output, typeof exit === "number" ? exit : undefined) }
}

function alreadyCut({ bytes }: OutputLimits): OutputLimits {
  return { lines: Infinity, bytes: bytes + MAX_NOTE_BYTES }
}

async function keepWhole(
  { store: { storage, deadlines }, calls: { keepOutput } }: LongOutputDeps,
  { signal, canDelegate, callID }: OutputPlace,
  { output, metadata }: Output,
): Promise<{ hint: string; metadata: JSONObject }> {
  const keeping = async () => {
    // A tool that has cut its output itself has stored the whole output.
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
