import type { MessageWithParts, RunResult } from "@pawl/core"
import type { StoredError } from "@pawl/core/record"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import { limitError } from "./limit-error.ts"
import type { RunError } from "./run-view.ts"
import { type StopReason, stopCode } from "./stop.ts"

/** The result of a run: exit code, error and hint. */
export interface Ending {
  readonly exitCode: ExitCode
  readonly error?: RunError
}

/** Returns the ending of a run. `below` is the refusal in a child session for which no user could be asked. */
export function endingOf(result: RunResult, stopped: StopReason | undefined, below?: StoredError): Ending {
  switch (result.type) {
    case "answered": {
      const ending = answered(result.answer)
      return below && ending.exitCode === exitCodes.success ? { exitCode: exitCodes.refused, error: below } : ending
    }
    case "failed":
      return { exitCode: exitCodes.failed, error: result.error }
    case "refused":
      return { exitCode: exitCodes.refused, error: refusal(result.error, result.answer) }
    case "aborted": {
      const error: StoredError = { name: "MessageAbortedError", data: { message: "The run was stopped." } }
      return { exitCode: stopCode(stopped ?? "SIGINT"), error }
    }
    case "empty":
      return answered(result.answer)
    case "steps-spent":
    case "cost-spent":
    case "tokens-spent":
    case "requests-spent":
    case "deadline-passed":
      return { exitCode: exitCodes.limited, error: limitError(result) }
    case "queued":
    case "stored":
      return { exitCode: exitCodes.success }
    case "compacted":
      return failure(uncontinued(result.outcome))
    case "idle":
      return failure("Nothing was asked.")
  }
}

/** Returns the message for a compaction after which the run did not continue. The task is stored. */
function uncontinued(outcome: Extract<RunResult, { type: "compacted" }>["outcome"]): string {
  if (outcome.type === "applied") {
    return "Older messages were replaced by a summary, and a plugin keeps the agent from continuing automatically. To continue: pawl run -c"
  }
  const why = outcome.type === "failed" ? outcome.reason : "a plugin skipped it"
  return `The session could not be compacted as requested: ${why}. To continue: pawl run -c`
}

function answered(answer: MessageWithParts): Ending {
  const finish = "finish" in answer.info ? answer.info.finish : undefined
  const hasText = answer.parts.some((part) => part.type === "text" && part.text.trim() !== "")
  if (finish === "content-filter") return failure("The provider's content filter ended the answer.")
  if (!hasText) return { exitCode: exitCodes.failed, error: emptyAnswer() }
  return { exitCode: exitCodes.success }
}

function emptyAnswer(): RunError {
  const message = "The model ended without an answer. Continue the session to ask again."
  return { name: "EmptyAnswerError", data: { message, status: "empty" } }
}

function failure(message: string): Ending {
  return { exitCode: exitCodes.failed, error: { name: "UnknownError", data: { message } } }
}

/** Adds the tool that needed the permission. */
function refusal(error: StoredError, { parts }: MessageWithParts): StoredError {
  const denied = parts.findLast((part) => part.type === "tool" && part.state.status === "error")
  return denied?.type === "tool" ? { ...error, data: { ...error.data, tool: denied.tool } } : error
}
