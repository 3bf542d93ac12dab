import { PermissionDeniedError, UnansweredError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Answer, Choice, QuestionPart } from "../record/message.ts"
import { whileAlive } from "../base/while-alive.ts"
import { answerProblem, type AskChoice, type AskPolicy, toChoiceRequest } from "../contracts/ask.ts"
import { type CallQuestions, dismissal, heardFrom } from "./call-questions.ts"

export interface ChooseDeps {
  /** Absent where nobody of this process can be asked. */
  readonly askChoice?: AskChoice | undefined
  readonly askPolicy: AskPolicy
}

export interface ChoosingCall {
  readonly tool: string
  readonly rootSessionID: SessionID
  readonly questions: CallQuestions
  /** Stores what is staged. */
  readonly store: () => Promise<void>
  /** Keeps the call from ending for want of progress; called now and then. */
  readonly alive: () => void
  /** Milliseconds that a call may be without a sign of life; 0 = for ever. */
  readonly inactivity: number
}

const NOBODY = "Nobody can be asked here: decide yourself and say what you assumed."

/**
 * Has people choose; resolves with what was chosen for each question. Where nobody answers it rejects with
 * UnansweredError, which the model reads; a person who dismisses the questions stops the run.
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
    if (earlier) questions.withdraw(earlier, { type: "dismissed", reason: NOBODY })
    throw new UnansweredError(NOBODY)
  }
  const callback =
    askChoice && ((part: QuestionPart, signal: AbortSignal) => chosen(askChoice, part, rootSessionID, signal))
  // People may take longer than a tool.
  const heard = await whileAlive(call, () => questions.ask({ about, callback }))
  await call.store()
  questions.tell()
  if (heard.type === "choice") return heard.answers
  if (heard.type === "late")
    throw new UnansweredError(`The question ${heard.reason}: decide yourself and say what you assumed.`)
  const refusal = { permission: "question", pattern: "*", tool: call.tool, decidedBy: "asked" } as const
  throw new PermissionDeniedError("The user dismissed this question.", refusal)
}

async function chosen(ask: AskChoice, part: QuestionPart, rootSessionID: SessionID, signal: AbortSignal) {
  const request = toChoiceRequest(part, rootSessionID)
  return heardFrom(async (): Promise<Answer> => {
    const answers = request && (await ask(request, signal))
    if (!answers) return dismissal("The user dismissed it.")
    const answer: Answer = { type: "choice", answers: answers.map((labels) => [...labels]) }
    const problem = answerProblem(part, answer)
    return problem === undefined ? answer : dismissal(problem)
  }, dismissal)
}
