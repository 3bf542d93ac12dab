import type { Moment } from "./conversation.ts"
import { sharedPrefix } from "./request.ts"

export interface Traffic {
  readonly requests: number
  /** Number of model calls of compactions. */
  readonly summaries: number
  /** Bytes of all requests, including those of the summarizer. */
  readonly bytes: number
  /** Bytes that the previous request of the agent or the summarizer started with as well. */
  readonly reused: number
}

/** The agent's first request after something was removed from its context. */
export interface Snapshot {
  readonly text: string
  readonly moment: Moment
}

export interface RequestLog {
  /** `sent` is a result of `serialized`. */
  agent(sent: Buffer, moment: Moment): void
  summarizer(sent: Buffer): void
  /** Makes the agent's next request the first one after another compaction. */
  compacted(): void
  readonly traffic: Traffic
  /** By number of compactions, from 1. */
  readonly snapshots: ReadonlyMap<number, Snapshot>
  readonly compactions: number
}

/** If `momentOf` is set, takes snapshots at these moments instead, by their number. */
export function createRequestLog(momentOf?: ReadonlyMap<number, Moment>): RequestLog {
  const snapshots = new Map<number, Snapshot>()
  const numbers = new Map([...(momentOf ?? [])].map(([number, moment]) => [moment, number]))
  const last = new Map<"agent" | "summarizer", Buffer>()
  let traffic: Traffic = { requests: 0, summaries: 0, bytes: 0, reused: 0 }
  let compactions = 0

  function note(by: "agent" | "summarizer", sent: Buffer): void {
    const shared = [...last.values()].map((before) => sharedPrefix(before, sent))
    last.set(by, sent)
    const { requests, summaries, bytes, reused } = traffic
    traffic = {
      requests: requests + 1,
      summaries: summaries + (by === "summarizer" ? 1 : 0),
      bytes: bytes + sent.length,
      reused: reused + Math.max(0, ...shared),
    }
  }

  return {
    agent(sent, moment) {
      note("agent", sent)
      const number = momentOf ? numbers.get(moment) : compactions
      if (number && !snapshots.has(number)) snapshots.set(number, { text: sent.toString(), moment })
    },
    summarizer: (sent) => note("summarizer", sent),
    compacted: () => void compactions++,
    get compactions() {
      return compactions
    },
    get traffic() {
      return traffic
    },
    snapshots,
  }
}
