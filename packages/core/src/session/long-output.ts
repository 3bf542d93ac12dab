import { type Deadlines, within } from "../deadlines.ts"
import { messageOf } from "../errors.ts"
import type { JSONObject } from "../json.ts"
import type { Storage } from "../storage/storage.ts"
import { type OutputLimits, truncate } from "../tool/truncate.ts"

export interface LongOutputDeps {
  readonly storage: Pick<Storage, "blobs">
  readonly deadlines: Pick<Deadlines, "tool">
  readonly outputLimits: OutputLimits
  /** Keeps the whole of an output that was truncated; resolves with a sentence that tells the model how to reach it. */
  readonly keepOutput?: ((callID: string, output: string) => Promise<string>) | undefined
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
export async function shortenOutput<O extends Output>(
  deps: LongOutputDeps,
  signal: AbortSignal,
  callID: string,
  keep: "head" | "tail",
  whole: O,
): Promise<O> {
  const limits = whole.metadata["truncated"] === true ? alreadyCut(deps.outputLimits) : deps.outputLimits
  const cut = truncate(whole.output, keep, limits)
  if (!cut) return whole
  const { hint, metadata } = await keepWhole(deps, signal, callID, whole.output)
  const droppedBytes = Buffer.byteLength(whole.output) - Buffer.byteLength(cut.text)
  const dropped = cut.droppedLines > 0 ? `${cut.droppedLines} lines` : `${droppedBytes} bytes`
  const note = `... ${dropped} truncated. ${hint}`
  const output = keep === "head" ? `${cut.text}\n\n${note}` : `${note}\n\n${cut.text}`
  return { ...whole, output, metadata: { ...whole.metadata, ...metadata, truncated: true } }
}

function alreadyCut({ bytes }: OutputLimits): OutputLimits {
  return { lines: Infinity, bytes: bytes + NOTE }
}

async function keepWhole(
  { storage, keepOutput, deadlines }: LongOutputDeps,
  signal: AbortSignal,
  callID: string,
  output: string,
): Promise<{ hint: string; metadata: JSONObject }> {
  const keeping = async () => {
    const blob = await storage.blobs.put(Buffer.from(output))
    const hint = (await keepOutput?.(callID, output)) ?? "Narrow the call down to see the rest."
    return { hint, metadata: { blob } }
  }
  const late = () => new Error(`storing it took longer than ${deadlines.tool / 1000} s`)
  try {
    return await within(deadlines.tool, keeping(), late, signal)
  } catch (error) {
    return { hint: `The rest could not be kept: ${messageOf(error)}`, metadata: {} }
  }
}
