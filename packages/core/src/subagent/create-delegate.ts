import { type Agent, chooseAgent } from "../agents/agent.ts"
import { DelegationError, messageOf, SessionBusyError } from "../base/errors.ts"
import { admit, type AdmitDeps } from "../inbox/admit.ts"
import { storedVariant } from "../contracts/variant.ts"
import type { ModelRef, Session } from "../record/message.ts"
import type { RunResult } from "../run/run-result.ts"
import type { StartOptions } from "../run/run-api.ts"
import type { ChildRuns, DelegatingRun } from "../run/owned-run.ts"
import { InactivityError, supervise } from "../base/supervise.ts"
import type { SubagentResult, SubagentTask } from "../contracts/tool.ts"
import { draftChild, findBegun, requireChild } from "./child-session.ts"
import type { Delegate, DelegatingCall, DelegationLife } from "../contracts/delegate.ts"
import { followChild } from "./follow-child.ts"
import { type Outcome, readOutcome, storeOutcome } from "./outcome.ts"
import { childDirectory, directoryFacts, type OwnDirectoryDeps } from "./own-directory.ts"
import { outcomeOf } from "./outcome-of.ts"
import { readWork } from "./read-work.ts"

export interface DelegateDeps extends AdmitDeps, OwnDirectoryDeps {
  /** `subagentDepth`: maximum depth of subagent sessions. 1: subagents have no subagents. */
  readonly defaults: { readonly subagentDepth: number }
}

export function createDelegate(deps: DelegateDeps, runs: ChildRuns, run: DelegatingRun): Delegate {
  return async (call, task, life) => {
    const key = keyOf(call)
    const begun = await findBegun(deps.store, call)
    // The outcome of an ended task is only read, so its agent may be unavailable by now.
    const ended = begun && readOutcome(begun, key)
    if (begun && ended) return resultOf(deps, begun, begun.model ?? run.model, ended)
    const agent = chooseAgent(deps.settings().agents, task.agent, "agent")
    if (run.depth >= deps.defaults.subagentDepth) throw new DelegationError(tooDeep(deps.defaults.subagentDepth))
    const model = agent.model ?? task.model ?? run.model
    const { info } = await deps.models.findModel(model)
    life.signal.throwIfAborted()
    const chosen = { agent, model, ...storedVariant(info, agent.variant) }
    const work: Work = { ...chosen, key, call, task, life }
    const child = await childFor(deps, runs, run, work, begun)
    const outcome = await runChild(deps, runs, run, work, child)
    const result = await resultOf(deps, child, model, outcome)
    life.signal.throwIfAborted()
    return result
  }
}

interface Work {
  readonly agent: Agent
  readonly model: ModelRef
  /** Variant of the agent, if the model has it. */
  readonly variant?: string
  /** Names the prompt of this call in the child. */
  readonly key: string
  readonly call: DelegatingCall
  readonly task: SubagentTask
  readonly life: DelegationLife
}

function keyOf({ sessionID, messageID, callID }: DelegatingCall): string {
  return `${sessionID}/${messageID}/${callID}`
}

/** Returns the session for the work: the one that this call began, the named one, or a new one. */
async function childFor(
  deps: DelegateDeps,
  runs: ChildRuns,
  { session: parent }: DelegatingRun,
  work: Work,
  begun: Session | undefined,
): Promise<Session> {
  const { task, agent, model, call, life } = work
  const child = begun ?? (task.sessionID && (await requireChild(deps.store.storage, parent.id, task.sessionID)))
  if (child && child !== begun && runs.has(child.id))
    throw new DelegationError(`The task ${child.id} is still at work: wait for its result.`)
  const directory = await childDirectory(deps, { agent, parent, child: child || undefined, signal: life.signal })
  return child || draftChild(deps.store, parent, { task, agent, model, call, directory })
}

/** Runs the child until it has answered, and stores the outcome. */
async function runChild(
  deps: DelegateDeps,
  runs: ChildRuns,
  run: DelegatingRun,
  work: Work,
  child: Session,
): Promise<Outcome> {
  const { key, life } = work
  const alive = () => {
    life.alive()
    run.alive()
  }
  const { subagent: inactivity, abort: grace } = deps.store.deadlines
  const supervision = { signal: life.signal, inactivity, grace }
  let outcome: Outcome
  try {
    const result = await supervise(supervision, async (signal, sign) => {
      const both = () => {
        sign()
        alive()
      }
      const unfollow = followChild(deps.store.bus, {
        child,
        work,
        alive: both,
        every: deps.store.deadlines.subagent / 3,
      })
      try {
        const ended = await startChild(deps, runs, { run, work, child, signal, alive: both })
        // The inactivity ended the run, whatever its own result is.
        if (ended.type !== "answered" && signal.reason instanceof InactivityError) throw signal.reason
        return ended
      } finally {
        unfollow()
      }
    })
    outcome = outcomeOf(result, key)
  } catch (error) {
    // Store no outcome, so that a run that resumes the call continues the child's work.
    if (life.signal.aborted || deps.store.drafts.has(child.id)) throw error
    if (!(error instanceof InactivityError || error instanceof SessionBusyError)) throw error
    outcome = { key, status: "failed", reason: messageOf(error) }
  } finally {
    deps.store.drafts.delete(child.id)
  }
  const { agent, task } = work
  const note = await directoryFacts(deps, { agent, parent: run.session, child, description: task.description })
  if (note !== undefined) outcome = { ...outcome, note }
  await storeOutcome(deps.store, child.id, outcome)
  return outcome
}

interface ChildStart {
  readonly run: DelegatingRun
  readonly work: Work
  readonly child: Session
  readonly signal: AbortSignal
  readonly alive: () => void
}

/** Starts the child's run. Retries while it is busy, because the lease of a dead process takes a while to expire. */
async function startChild(deps: DelegateDeps, runs: ChildRuns, start: ChildStart): Promise<RunResult> {
  const { run, work, child, signal, alive } = start
  const { agent, model, variant, key, task, call } = work
  const delegation = { agent: call.agent, messageID: call.messageID, callID: call.callID }
  const prompt = {
    ...{ sessionID: child.id, agent: agent.name, model, clientID: key },
    ...(variant === undefined ? {} : { variant }),
    parts: [{ type: "text", text: task.prompt }] as const,
  }
  const retryUntil = performance.now() + deps.store.deadlines.lease
  for (;;) {
    try {
      const store: StartOptions["prepare"] = async (admission) => {
        const alongside = [{ type: "session.patch", changes: { delegation } } as const]
        await admit(deps, prompt, { ...admission, by: "agent", alongside })
      }
      const begin = deps.store.drafts.has(child.id) ? { create: store } : { prepare: store }
      return await runs.start(child.id, { signal, budget: run.budget, alive, ...begin })
    } catch (error) {
      if (!(error instanceof SessionBusyError) || performance.now() > retryUntil) throw error
      signal.throwIfAborted()
    }
  }
}

async function resultOf(
  { store: { storage } }: DelegateDeps,
  child: Session,
  model: ModelRef,
  { key, status, reason, note }: Outcome,
): Promise<SubagentResult> {
  const { text, cost, tokens } = await readWork(storage, child.id, key)
  const bill = { sessionID: child.id, model, cost, tokens, ...(note === undefined ? {} : { note }) }
  if (status === "completed") return { ...bill, status, text }
  const why = `The task ${child.id} was not finished: ${reason ?? "it ended without an answer."}`
  return { ...bill, status, text: text === "" ? why : `${why}\nIts last words:\n${text}` }
}

function tooDeep(depth: number): string {
  return depth === 0
    ? "Subagents are switched off here (subagentDepth is 0): do the work yourself."
    : `Subagents may not be nested more than ${depth} deep: do the work yourself.`
}
