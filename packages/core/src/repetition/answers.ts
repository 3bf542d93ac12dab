import type { AssistantMessage, MessageWithParts } from "../record/message.ts"
import { digest } from "../base/digest.ts"
import type { AnswerRepetition } from "./repetition.ts"
import { requestedTimes } from "./requested-times.ts"
import { createTurnFold } from "./turn-fold.ts"

/** Identical answers of a turn that are one too many. */
const IDENTICAL = 3

/** Answers that are looked at. */
const LOOKED_AT = 40

/** Characters of an answer that also calls tools: announcing the next step in the same few words is no loop. */
const SHORTEST_BESIDE_CALLS = 100

/** Characters of an answer that is nothing but text. */
const SHORTEST = 20

interface Said {
  readonly messageID: string
  readonly text: string
  readonly name: string
}

/** Whether the newest answer says word for word what two others of its turn have said. One for each run. */
export function createAnswerJudge(): (messages: readonly MessageWithParts[]) => AnswerRepetition | undefined {
  const answersOfTurn = createTurnFold(LOOKED_AT, (answer) => said(answer))
  return (messages) => {
    const answers = answersOfTurn(messages)
    const newest = answers.at(-1)
    if (!newest || newest.messageID !== messages.findLast(({ info }) => info.role === "assistant")?.info.id) return
    const times = answers.filter(({ name }) => name === newest.name).length
    const isLoop = times >= IDENTICAL && times > requestedTimes(messages)
    return isLoop ? { kind: "answers", text: newest.text, times } : undefined
  }
}

function said({ info, parts }: MessageWithParts<AssistantMessage>): readonly Said[] {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  const text = texts.join(" ").replaceAll(/\s+/g, " ").trim()
  const shortest = parts.some((part) => part.type === "tool") ? SHORTEST_BESIDE_CALLS : SHORTEST
  return text.length < shortest ? [] : [{ messageID: info.id, text, name: digest(text) }]
}
