import { partTime } from "@pawl/core/host"
import type { FilePart, Part, PartID, ToolPart } from "@pawl/core/record"
import { openCodeError } from "./error.ts"
import { without } from "./without.ts"

export interface OpenCodePart {
  readonly id: string
  readonly sessionID: string
  readonly messageID: string
  readonly type: string
  readonly [field: string]: unknown
}

type Pending = Extract<ToolPart["state"], { status: "pending" }>

const NONE: readonly string[] = []

/** Fields that only pawl has, by type of part. */
const OWN: Partial<Readonly<Record<Part["type"], readonly string[]>>> = {
  text: ["shownBytes"],
  reasoning: ["shownBytes"],
  file: ["rejected"],
  tool: ["changes", "uncovered", "shownBytes"],
  patch: ["callID", "changes", "uncovered"],
  retry: ["kind", "next", "elapsed", "fallback", "cost", "tokens"],
  "step-finish": ["measured", "prefix"],
  compaction: ["focus", "through", "keep", "prepared", "calls"],
}

/** Returns true for parts that only pawl has. */
export function isOwnPart({ type }: Pick<Part, "type">): boolean {
  return type === "question" || type === "answer" || type === "usage"
}

/** Returns the fields of a part that `openCodePart` leaves out. */
export function ownFields(part: Part): Record<string, unknown> {
  const own = OWN[part.type] ?? NONE
  return Object.fromEntries(Object.entries(part).filter(([key]) => own.includes(key)))
}

/** Converts a part to OpenCode's form. Not for parts that only pawl has. */
export function openCodePart(part: Part): OpenCodePart {
  const { id, sessionID, messageID, type } = part
  const shape = { ...without(part, OWN[type] ?? NONE), id, sessionID, messageID, type }
  if (part.type === "retry") return { ...shape, error: openCodeError(part.error) }
  if (part.type !== "tool") return shape
  if (part.state.status === "pending") return { ...shape, state: pendingShape(part.state, part.id) }
  if (part.state.status !== "completed" || !part.state.attachments) return shape
  return { ...shape, state: { ...part.state, attachments: part.state.attachments.map((file) => fileShape(file)) } }
}

/**
 * Converts a call that has not begun. With its whole input it runs in OpenCode's form, also while it waits for a permission:
 * some clients show a question only if its call runs.
 */
function pendingShape(state: Pending, id: PartID): object {
  const { input } = state
  if (Object.keys(input).length === 0) return state
  return { status: "running", input, time: { start: partTime(id) } }
}

function fileShape(file: FilePart): OpenCodePart {
  return openCodePart(file)
}
