import { PermissionDeniedError, UnansweredError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Answer, Choice, QuestionPart } from "../record/message.ts"
import { whileAlive } from "../base/while-alive.ts"
import { type AskChoice, type AskPolicy, toChoiceRequest } from "../contracts/ask.ts"
import { answerProblem } from "./answer-problem.ts"
import { type CallQuestions, dismissal, answerOrElse } from "./call-questions.ts"

export interface ChooseDeps {
  /** Missing if this process has no user to ask. */
  readonly askChoice?: AskChoice | undefined
  readonly askPolicy: AskPolicy
}

export interface ChoosingCall {
  readonly tool: string
  readonly rootSessionID: SessionID
  readonly questions: CallQuestions
  /** Stores the staged writes. */
  readonly store: () => Promise<void>
  /** Heartbeat of the call, called from time to time. */
  readonly alive: () => void
  /** Inactivity timeout of the call in milliseconds; 0 = unlimited. */
  readonly inactivity: number
}

const NO_USER = "No user can be asked here: decide yourself and say what you assumed."

/**
 * Lets the user choose. Resolves with the chosen labels of each question. Rejects with UnansweredError, which the model
 * reads, if the user does not answer. A user who dismisses the questions stops the run.
 */
export async function choose(
  deps: ChooseDeps,
  call: ChoosingCall,
  choices: readonly Choice[],
): Promise<readonly (readonly string[])[]> {
  const { questions, rootSessionID } = call
  const { askChoice } = deps
  const about = { type: "choice" as const, questions: [...choices] }
  const earlier = questions.earlier(about)
  if (!askChoice && deps.askPolicy === "deny" && earlier?.answer === undefined) {
    if (earlier) questions.withdraw(earlier, { type: "dismissed", reason: NO_USER })
    throw new UnansweredError(NO_USER)
  }
  const callback =
    askChoice && ((part: QuestionPart, signal: AbortSignal) => chosen(askChoice, part, rootSessionID, signal))
  // The user may take longer than a tool.
  const outcome = await whileAlive(call, () => questions.ask({ about, callback }))
  await call.store()
  questions.tell()
  if (outcome.type === "choice") return outcome.answers
  if (outcome.type === "late")
    throw new UnansweredError(`The question ${outcome.reason}: decide yourself and say what you assumed.`)
  const refusal = { permission: "question", pattern: "*", tool: call.tool, decidedBy: "asked" } as const
  throw new PermissionDeniedError("The user dismissed this question.", refusal)
}

async function chosen(ask: AskChoice, part: QuestionPart, rootSessionID: SessionID, signal: AbortSignal) {
  const request = toChoiceRequest(part, rootSessionID)
  return answerOrElse(async (): Promise<Answer> => {
    const answers = request && (await ask(request, signal))
    if (!answers) return dismissal("The user dismissed it.")
    const answer: Answer = { type: "choice", answers: answers.map((labels) => [...labels]) }
    const problem = answerProblem(part, answer)
    return problem === undefined ? answer : dismissal(problem)
  }, dismissal)
}
