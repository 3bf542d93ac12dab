import { PermissionDeniedError, RepetitionError } from "../base/errors.ts"
import { type CallQuestions, createCallQuestions } from "../questions/call-questions.ts"
import { unwrapCall } from "../tool-set/call-tool.ts"
import type { Journal } from "../store/journal.ts"
import type { Part, QuestionPart } from "../record/message.ts"
import type { Attempt, UnsettledToolPart } from "./attempt.ts"
import { executeCall } from "./execute.ts"
import { finishedPart } from "./finish.ts"
import type { CallContext, CallHandles, ToolCallDeps } from "./call-deps.ts"

export type { PendingToolPart, UnsettledToolPart } from "./attempt.ts"

export interface ToolCallOutcome {
  /** Set if the user refused or could not be asked, or if calls repeat themselves. The run stops. */
  readonly refusal?: PermissionDeniedError | RepetitionError
}

/**
 * Runs a tool. All calls pass here: guard, parse, permission, journal, execute, truncate, hooks, stage. Settles the
 * part in every case; rejects only if the journal cannot write. `beside`: the parts of the call's message, for a call
 * that continues after a crash. Then answered questions are not asked again, and a call that has begun runs again only
 * if its tool is resumable, pure or idempotent.
 */
export async function runToolCall(
  deps: ToolCallDeps,
  run: CallHandles,
  context: CallContext,
  requested: UnsettledToolPart,
  beside?: readonly Part[],
): Promise<ToolCallOutcome> {
  const { journal, signal } = run
  const { rootSessionID, tools } = context
  const agent = context.agent.name
  // Guards and rules use the tools' own names; the model may write them in another case.
  const called = unwrapCall(requested, tools)
  const known = tools.find(called.tool)
  const part = { ...called, tool: known?.name ?? called.tool }
  const { tool, callID, messageID, sessionID } = part
  const call = { tool, callID, messageID, sessionID, rootSessionID, agent }
  const attempt: Attempt = { part, args: {}, guardRan: false }
  const earlier = beside?.filter((each): each is QuestionPart => each.type === "question" && each.callID === callID)
  const questions = createCallQuestions(deps, {
    ...{ sessionID, rootSessionID, agent, journal, signal },
    part: () => attempt.part,
    earlier: earlier ?? [],
  })
  try {
    await executeCall(deps, run, context, { call, attempt, questions, earlier })
  } catch (error) {
    attempt.error = error
  }
  const finished = await finishedPart(deps, run, context, { call, attempt })
  journal.stage([{ type: "part.put", part: finished }])
  run.policies.recorded(finished)
  if (questions.isOwing) await storeAnswers(journal, questions)
  const { error } = attempt
  if (error instanceof RepetitionError) return error.response === "stop" ? { refusal: error } : {}
  return error instanceof PermissionDeniedError && error.decidedBy === "asked" ? { refusal: error } : {}
}

/** Stores the answers, and notifies the callers that answered. */
async function storeAnswers(journal: Journal, questions: CallQuestions): Promise<void> {
  try {
    await journal.commit([])
    questions.tell()
  } catch (error) {
    questions.tell(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}
