import { isCleared, type JSONObject, type Message, type Part } from "@pawl/core/record"
import type { BlobStore } from "@pawl/core/storage"
import { messageOf } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"

/** Returns one line about a part: `user, 2026-01-02 03:04 UTC`. */
export function describePart(message: Message, part: Part): string {
  const author = part.type === "tool" ? `tool ${displayName(part.tool)}` : message.role
  const notes = [author, timeOf(message, part), ...statesOf(part)]
  return notes.join(", ")
}

/**
 * Returns a part's full text, for a tool call with its full output if it was kept; undefined if the part has no text.
 */
export async function partText(part: Part, blobs: BlobStore): Promise<string | undefined> {
  if (part.type === "text" || part.type === "reasoning") return part.text
  if (part.type === "file") return `[Attached ${part.mime}: ${part.filename ?? "no name"}]`
  if (part.type !== "tool") return undefined
  const { state } = part
  const head = `Input: ${JSON.stringify(state.input)}`
  if (state.status === "error") return `${head}\nError:\n${state.error}`
  if (state.status !== "completed") return `${head}\n(The call has not ended.)`
  const files = (state.attachments ?? []).map(({ mime, filename = "no name" }) => `[Attached ${mime}: ${filename}]`)
  return [head, "Output:", await wholeOutput(state.output, state.metadata as JSONObject, blobs), ...files].join("\n")
}

/** Reads the blob of an output that was cut. A missing or unreadable blob becomes a note in the text. */
async function wholeOutput(output: string, { blob, truncated }: JSONObject, blobs: BlobStore): Promise<string> {
  if (typeof blob !== "string" || truncated !== true) return output
  try {
    const bytes = await blobs.get(blob)
    return bytes === undefined ? `${output}\n(The rest was not kept.)` : Buffer.from(bytes).toString("utf8")
  } catch (error) {
    return `${output}\n(The rest cannot be read: ${messageOf(error)})`
  }
}

function statesOf(part: Part): string[] {
  if (part.type === "reasoning") return ["reasoning"]
  if (part.type !== "tool") return []
  if (part.state.status === "error") return ["failed"]
  return isCleared(part) ? ["cleared from the context"] : []
}

function timeOf(message: Message, part: Part): string {
  const time = part.type === "tool" && part.state.status !== "pending" ? part.state.time.start : message.time.created
  const date = new Date(time)
  // Another program may have stored an invalid time.
  if (Number.isNaN(date.getTime())) return "at an unknown time"
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`
}
