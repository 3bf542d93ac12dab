import type { AssistantMessage, MessageWithParts } from "../record/message.ts"
import { digest } from "../base/digest.ts"
import type { AnswerRepetition } from "./repetition.ts"
import { requestedTimes } from "./requested-times.ts"
import { createTurnFold } from "./turn-fold.ts"

/** Number of identical answers in a turn that counts as a loop. */
const IDENTICAL_LIMIT = 3

/** Number of the newest answers that are compared. */
const MAX_ANSWERS = 40

/**
 * Minimum characters of an answer that also calls tools: announcing the next step in the same few words is not a loop.
 */
const MIN_LENGTH_BESIDE_CALLS = 100

/** Minimum characters of an answer without calls. */
const MIN_LENGTH = 20

interface Answer {
  readonly messageID: string
  readonly text: string
  readonly name: string
}

/**
 * Creates the function that returns a repetition if the newest answer equals two others of its turn word for word. Use
 * one for each run.
 */
export function createAnswerJudge(): (messages: readonly MessageWithParts[]) => AnswerRepetition | undefined {
  const answersOfTurn = createTurnFold(MAX_ANSWERS, (answer) => answersIn(answer))
  return (messages) => {
    const answers = answersOfTurn(messages)
    const newest = answers.at(-1)
    if (!newest || newest.messageID !== messages.findLast(({ info }) => info.role === "assistant")?.info.id) return
    const times = answers.filter(({ name }) => name === newest.name).length
    const isLoop = times >= IDENTICAL_LIMIT && times > requestedTimes(messages)
    return isLoop ? { kind: "answers", text: newest.text, times } : undefined
  }
}

function answersIn({ info, parts }: MessageWithParts<AssistantMessage>): readonly Answer[] {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  const text = texts.join(" ").replaceAll(/\s+/g, " ").trim()
  const minLength = parts.some((part) => part.type === "tool") ? MIN_LENGTH_BESIDE_CALLS : MIN_LENGTH
  return text.length < minLength ? [] : [{ messageID: info.id, text, name: digest(text) }]
}
