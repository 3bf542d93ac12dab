import { type Entry, toMessages } from "./entry.ts"
import { type Fixed, serialized, tokensOf } from "./request.ts"
import { type Play, usable } from "./subject.ts"

/** Nothing is summarized: the oldest messages go until the next request fits. An answer goes with its results. */
export function playTruncation({ conversation, limits, log }: Play, fixed: Fixed): void {
  const talk: Entry[] = []
  const request = () => ({ ...fixed, messages: talk.flatMap((entry) => toMessages(entry)) })
  let answered = 0
  for (const { prompt, answers } of conversation.turns) {
    talk.push({ type: "user", text: prompt })
    for (const answer of answers) {
      let sent = serialized(request())
      while (talk.length > 1 && tokensOf(sent) > usable(limits)) {
        talk.shift()
        sent = serialized(request())
      }
      log.agent(sent, answered++ * 2)
      talk.push({ type: "answer", answer })
    }
  }
}
