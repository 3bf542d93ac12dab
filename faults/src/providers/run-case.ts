import type { MessageWithParts, RunResult } from "@pawl/core"
import type { CaseLab } from "./case-lab.ts"
import type { Fault } from "./fault.ts"
import { FIRST_PROMPT, SECOND_PROMPT } from "./turn.ts"

/** A fault, and the answers that it comes to. */
export interface Case {
  readonly name: string
  readonly fault: Fault
  /** Of the turn's requests the first that it comes to, from 0. */
  readonly at: number
  /** To how many requests in a row. */
  readonly times: number
}

/** What came of a case. */
export interface Outcome {
  readonly result: RunResult
  /** Of the prompt after it, when nothing goes wrong any more. */
  readonly second: RunResult
  readonly messages: readonly MessageWithParts[]
  /** Words that the tool was executed with. */
  readonly runs: readonly string[]
  /** Whole requests that the server got, of both turns. */
  readonly requests: number
  /** What a strict server found wrong with requests. */
  readonly refusals: readonly string[]
  /** Milliseconds of the first turn. */
  readonly took: number
}

/** One turn with the fault in it and one without, in a session of their own. Undefined: the fault does not apply. */
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
