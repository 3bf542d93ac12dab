import type { MessageID, Part, PartID, SessionID } from "@pawl/core/storage"

const CALL = "prt_call_"
const EVENT = "prt_event_"

/** Returns the id of a session's only message. */
export function messageOf(id: SessionID): MessageID {
  return `msg_${id.slice("ses_".length)}`
}

/** Returns the id of the part for a session's n-th call. */
export function callPart(step: number): PartID {
  return `${CALL}${String(step).padStart(8, "0")}`
}

export function eventPart(worker: string, number: number): PartID {
  return `${EVENT}${worker}_${String(number).padStart(8, "0")}`
}

export function isEvent(part: Part): boolean {
  return part.id.startsWith(EVENT)
}

/** Returns the number of the last started call; 0 if there is no call. */
export function lastStep(parts: readonly Part[]): number {
  const steps = parts.filter(({ id }) => id.startsWith(CALL)).map(({ id }) => Number(id.slice(CALL.length)))
  return Math.max(0, ...steps)
}

export function unsettledCalls(parts: readonly Part[]): PartID[] {
  return parts.filter((part) => part.type === "tool" && part.state.status === "running").map(({ id }) => id)
}
