import type { Message, Part } from "@pawl/core/storage"

/** Describes a part for searching in `session show`: `msg_… prompt`, `msg_… answer`, `msg_… tool bash`. */
export function placeOf({ id, role }: Message, part: Part): string {
  if (part.type === "tool") return `${id} tool ${part.tool}`
  if (part.type === "text") return `${id} ${role === "user" ? "prompt" : "answer"}`
  return `${id} ${part.type}`
}
