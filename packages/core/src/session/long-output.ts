import { type Deadlines, within } from "../deadlines.ts"
import { messageOf } from "../errors.ts"
import type { JSONObject } from "../json.ts"
import type { Storage } from "../storage/storage.ts"
import type { Tool, ToolResult } from "../tool/tool.ts"
import { type OutputLimits, truncate } from "../tool/truncate.ts"

export interface LongOutputDeps {
  readonly storage: Pick<Storage, "blobs">
  readonly deadlines: Pick<Deadlines, "tool">
  readonly outputLimits: OutputLimits
  /** Keeps the whole of an output that was truncated; resolves with a sentence that tells the model how to reach it. */
  readonly keepOutput?: ((callID: string, output: string) => Promise<string>) | undefined
}

/**
 * The result with as much of its output as the limits allow, and a note on how to reach the rest, which is kept as a
 * blob. A result that says it is truncated stays as it is. Never rejects: the tool has run, and what it did is not to
 * be lost because its output cannot be kept.
 */
export async function shortenOutput(
  deps: LongOutputDeps,
  signal: AbortSignal,
  callID: string,
  { keep = "head" }: Pick<Tool, "keep">,
  result: ToolResult,
): Promise<ToolResult> {
  const cut = result.metadata?.["truncated"] === undefined && truncate(result.output, keep, deps.outputLimits)
  if (!cut) return result
  const { hint, metadata } = await keepWhole(deps, signal, callID, result.output)
  const droppedBytes = Buffer.byteLength(result.output) - Buffer.byteLength(cut.text)
  const dropped = cut.droppedLines > 0 ? `${cut.droppedLines} lines` : `${droppedBytes} bytes`
  const note = `... ${dropped} truncated. ${hint}`
  const output = keep === "head" ? `${cut.text}\n\n${note}` : `${note}\n\n${cut.text}`
  return { ...result, output, metadata: { ...result.metadata, ...metadata, truncated: true } }
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
