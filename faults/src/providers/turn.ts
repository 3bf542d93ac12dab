import { call, type RecordedRequest, reasoning, reply, type Reply, text, unauthorized, usage } from "@pawl/model-server"

/** Words that the tool must be called with, each once: two in the first answer, the third in the next. */
export const WORDS = ["alpha-alpha-alpha", "beta-beta-beta"] as const
const LAST_WORD = "gamma-gamma-gamma"
export const FIRST_PROMPT = "Mark all."
export const SECOND_PROMPT = "Was that all?"

const said = {
  before: ["I look at ", "both of them."],
  between: ["Now the ", "third."],
  after: ["All of them ", "are marked."],
  second: ["That was ", "all."],
} as const

/** All complete texts of the turns. */
export const TEXTS: readonly string[] = Object.values(said).map((chunks) => chunks.join(""))
export const FIRST_ANSWER = said.after.join("")
export const SECOND_ANSWER = said.second.join("")

/** Returns the tool's output. */
export function resultOf(word: string): string {
  return `marked ${word}`
}

/** Returns the reported input tokens of the n-th answer, from 0. Each answer has another number. */
export function inputTokens(index: number): number {
  return 1000 + index
}
export const OUTPUT_TOKENS = 10

/**
 * Answers according to the results in the request, in any format: calls the tool for missing words, then answers, then
 * answers the second prompt. So the requests of a turn lead to two calls, one call, and the answer.
 */
export function answerTo(request: RecordedRequest, index: number): Reply {
  const body = request.raw.toString()
  const bill = usage({ inputTokens: inputTokens(index), outputTokens: OUTPUT_TOKENS })
  const isLeft = (word: string) => !body.includes(resultOf(word))
  const mark = (word: string) => call("mark", { text: word }, { id: `call_${word.slice(0, 4)}_${index}` })
  if (body.includes(SECOND_PROMPT)) return reply(reasoning(["Was ", "it?"]), text(said.second), bill)
  if (!body.includes(FIRST_PROMPT)) return unauthorized({ message: "There is no prompt in this request." })
  const left = WORDS.filter(isLeft)
  if (left.length > 0) return reply(reasoning(["What is ", "to be done?"]), text(said.before), ...left.map(mark), bill)
  if (isLeft(LAST_WORD)) return reply(reasoning(["One ", "is left."]), text(said.between), mark(LAST_WORD), bill)
  return reply(reasoning(["They ", "are."]), text(said.after), bill)
}
