import type { Engine } from "@pawl/core"
import type { MessageWithParts, Session, Storage } from "@pawl/core/storage"
import { isUnowned } from "./is-unowned.ts"

/** State of a session. `interrupted` means that its process ended early, and the work can be continued. */
export type ChildState = "asks" | "at work" | "answered" | "failed" | "interrupted" | "not begun"

export async function childState(
  engine: Pick<Engine, "questions">,
  storage: Pick<Storage, "acquire" | "readMessages">,
  { id }: Pick<Session, "id">,
): Promise<ChildState> {
  const open = await engine.questions(id)
  if (open.some(({ sessionID }) => sessionID === id)) return "asks"
  if (!(await isUnowned(storage, id))) return "at work"
  for await (const newest of storage.readMessages(id, { limit: 1 })) return endOf(newest)
  return "not begun"
}

function endOf({ info }: Pick<MessageWithParts, "info">): ChildState {
  if (info.role === "user") return "interrupted"
  if (info.error) return "failed"
  return info.time.completed === undefined || info.finish === "tool-calls" ? "interrupted" : "answered"
}
