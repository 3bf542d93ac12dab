import { createHash } from "node:crypto"
import type { SessionID, Write } from "@pawl/core/storage"
import type { Subjects } from "../record/observe.ts"
import * as records from "./records.ts"

export type Step =
  | { readonly type: "commit"; readonly sessionID: SessionID; readonly writes: readonly Write[] }
  | { readonly type: "remove"; readonly sessionID: SessionID }
  | { readonly type: "blob"; readonly bytes: Uint8Array }

/** Steps that run concurrently. */
export type Round = readonly Step[]

/** With `large`, a record and a blob need several chunks. */
export type PlanSize = "small" | "large"

const sizes = { small: { letters: 20_000, bytes: 9000 }, large: { letters: 300_000, bytes: 600_000 } }

const [first, second, third] = [records.sessionID(1), records.sessionID(2), records.sessionID(3)]
const { messageID, partID } = records

/**
 * Steps that a storage runs while it is interrupted: sessions are created, extended and removed; records are replaced
 * and removed; one record is large; blobs have one or several chunks; two sessions are committed at the same time.
 */
export function planWorkload(directory: string, size: PlanSize): Round[] {
  const { letters, bytes } = sizes[size]
  return [
    [begin(first, directory)],
    [commit(first, answer(first, 2), records.putCall(first, messageID(2), partID(3)))],
    [commit(first, records.putCall(first, messageID(2), partID(3), "1\tconst a = 1\n"))],
    [blob(1000)],
    [begin(second, directory), commit(first, ...question(first, 3))],
    [commit(first, ...question(first, 4)), commit(second, ...question(second, 2))],
    [commit(first, answer(first, 5), records.putText(first, messageID(5), partID(9), "line\n".repeat(letters / 5)))],
    [commit(first, { type: "session.patch", changes: { title: "Renamed", model: undefined } })],
    [commit(first, { type: "part.remove", messageID: messageID(2), partID: partID(3) })],
    [blob(bytes), commit(second, ...question(second, 3))],
    [begin(third, directory), commit(second, { type: "message.remove", messageID: messageID(2) })],
    [{ type: "remove", sessionID: second }],
    [commit(first, ...question(first, 6)), commit(third, ...question(third, 2))],
    [commit(third, records.putText(third, messageID(2), partID(2), "Replaced"))],
  ]
}

/** Returns the sessions and blobs of the workload. */
export function planSubjects(size: PlanSize): Subjects {
  const steps = planWorkload("", size).flat()
  const blobs = steps.flatMap((step) =>
    step.type === "blob" ? [createHash("sha256").update(step.bytes).digest("hex")] : [],
  )
  return { sessions: [first, second, third], blobs }
}

/** A commit that is valid in every state of the session. */
export function nextCommit(id: SessionID, directory: string): Step & { type: "commit" } {
  return commit(id, records.putSession(id, directory, { title: "After" }), ...question(id, 90))
}

function commit(sessionID: SessionID, ...writes: Write[]): Step & { type: "commit" } {
  return { type: "commit", sessionID, writes }
}

function begin(id: SessionID, directory: string): Step {
  return commit(id, records.putSession(id, directory), ...question(id, 1))
}

/** Two parts, so that half of a commit would be noticed. */
function question(id: SessionID, number: number): Write[] {
  return [
    records.putUserMessage(id, messageID(number)),
    records.putText(id, messageID(number), partID(1), `Question ${number} – «ünïcödé» 世界`),
    records.putText(id, messageID(number), partID(2), "And more of it"),
  ]
}

function answer(id: SessionID, number: number): Write {
  return records.putAssistantMessage(id, messageID(number), messageID(number - 1))
}

function blob(size: number): Step {
  return { type: "blob", bytes: Uint8Array.from({ length: size }, (_, index) => (index * 31 + size) % 251) }
}
