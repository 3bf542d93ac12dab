import type { MessageWithParts, RunResult } from "@pawl/core"
import type { CaseLab } from "./case-lab.ts"
import type { Fault } from "./fault.ts"
import { FIRST_PROMPT, SECOND_PROMPT } from "./turn.ts"

/** A fault, and the requests that it affects. */
export interface Case {
  readonly name: string
  readonly fault: Fault
  /** Number of the first affected request of the turn, from 0. */
  readonly at: number
  /** Number of consecutive affected requests. */
  readonly times: number
}

/** The results of a case. */
export interface Outcome {
  readonly result: RunResult
  /** Result of the second prompt, without faults. */
  readonly second: RunResult
  readonly messages: readonly MessageWithParts[]
  /** Words with which the tool was executed. */
  readonly runs: readonly string[]
  /** Number of complete requests in both turns. */
  readonly requests: number
  /** Problems that a strict server found in requests. */
  readonly refusals: readonly string[]
  /** Duration of the first turn in milliseconds. */
  readonly took: number
}

/** Runs a turn with the fault and one without in a new session. Returns undefined if the fault does not apply. */
export async function runCase(lab: CaseLab, { fault, at, times }: Case): Promise<Outcome | undefined> {
  const spoil = fault.spoil(lab.wire.name)
  if (!spoil) return undefined
  const { engine, front, storage } = lab
  lab.takeRuns()
  const before = front.requests
  const refused = front.refusals.length
  const isHit = (index: number) => !fault.isDeaf && index >= at && index < at + times
  lab.spoil((index) => (isHit(index) ? spoil : undefined))
  if (fault.isDeaf) await front.deafen()
  const { id: sessionID } = await engine.createSession({ directory: lab.directory })
  const stop = engine.subscribe(({ type, properties }) => {
    if (type === "session.status" && "status" in properties && properties.status.type === "retry") void front.listen()
  })
  const ask = (text: string) => engine.prompt({ sessionID, parts: [{ type: "text", text }] })
  const began = performance.now()
  const result = await ask(FIRST_PROMPT)
  const took = performance.now() - began
  stop()
  await front.listen()
  lab.spoil(() => undefined)
  const second = await ask(SECOND_PROMPT)
  const messages: MessageWithParts[] = []
  for await (const message of storage.readMessages(sessionID)) messages.unshift(message)
  const refusals = front.refusals.slice(refused)
  return { result, second, messages, runs: lab.takeRuns(), requests: front.requests - before, refusals, took }
}
