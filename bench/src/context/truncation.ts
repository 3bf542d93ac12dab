import { type Entry, toMessages } from "./entry.ts"
import { type Fixed, serialized, tokensOf } from "./request.ts"
import { type Play, usable } from "./subject.ts"

/** Removes the oldest messages until the request fits, without a summary. Answers go together with their results. */
export function playTruncation({ conversation, limits, log }: Play, fixed: Fixed): void {
  const entries: Entry[] = []
  const request = () => ({ ...fixed, messages: entries.flatMap((entry) => toMessages(entry)) })
  let answered = 0
  for (const { prompt, answers } of conversation.turns) {
    entries.push({ type: "user", text: prompt })
    for (const answer of answers) {
      let sent = serialized(request())
      while (entries.length > 1 && tokensOf(sent) > usable(limits)) {
        entries.shift()
        sent = serialized(request())
      }
      log.agent(sent, answered++ * 2)
      entries.push({ type: "answer", answer })
    }
  }
}
