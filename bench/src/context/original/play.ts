import type { Answer, Moment } from "../conversation.ts"
import { type Entry, toMessages } from "../entry.ts"
import { type Fixed, type Prompt, serialized, tokensOf } from "../request.ts"
import { type Play, usable } from "../subject.ts"
import { SYSTEM, summaryRequest } from "./prompt.ts"
import { pruned } from "./prune.ts"
import { tailBudget, tailStart } from "./tail.ts"

const QUESTION = "What did we do so far?"
const CONTINUE = "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."
const NOTHING_LEFT: Answer = { text: "There is nothing left to do.", calls: [] }

/**
 * OpenCode's algorithm: when an answer has used up the usable tokens or a request is refused, one model call summarizes
 * all but the newest turns. The summary is used as it is, and the agent is told to continue. `prune` clears old outputs
 * at the end of each turn; it is off by default.
 */
export function playOriginal(
  { conversation, limits, summarizer, log }: Play,
  fixed: Fixed,
  { prune }: { readonly prune: boolean },
): void {
  let summary: string | undefined
  let talk: readonly Entry[] = []

  function request(): Prompt {
    const lead: Entry[] =
      summary === undefined
        ? []
        : [
            { type: "user", text: QUESTION },
            { type: "answer", answer: { text: summary, calls: [] } },
          ]
    return { ...fixed, messages: [...lead, ...talk].flatMap((entry) => toMessages(entry)) }
  }

  function compact(isRefused: boolean): void {
    const users = talk.filter((entry) => entry.type === "user" && !entry.synthetic)
    const replayed = isRefused && users.length > 1 ? users.at(-1) : undefined
    const candidates = talk.filter((entry) => entry !== replayed)
    const start = tailStart(candidates, tailBudget(usable(limits)))
    const text = summaryRequest(candidates.slice(0, start), summary)
    const asked: Prompt = {
      ...{ system: [SYSTEM], tools: [] },
      messages: [{ role: "user", content: [{ type: "text", text }] }],
    }
    log.summarizer(fitting(asked))
    summary = summarizer(asked)
    talk = [...candidates.slice(start), replayed ?? { type: "user", text: CONTINUE, synthetic: true }]
    log.compacted()
  }

  /** Returns true if the answer has used up the usable tokens. */
  function ask(answer: Answer, moment: Moment): boolean {
    let sent = serialized(request())
    if (tokensOf(sent) > limits.window) {
      compact(true)
      sent = fitting(request())
    }
    log.agent(sent, moment)
    talk = [...talk, { type: "answer", answer }]
    const [said] = toMessages({ type: "answer", answer })
    return tokensOf(sent) + Math.ceil(JSON.stringify(said).length / 4) >= usable(limits)
  }

  function fitting(asked: Prompt): Buffer {
    const sent = serialized(asked)
    const tokens = tokensOf(sent)
    if (tokens > limits.window) throw new Error(`A request of ${tokens} tokens does not fit in ${limits.window}.`)
    return sent
  }

  let answered = 0
  for (const { prompt, answers } of conversation.turns) {
    talk = [...talk, { type: "user", text: prompt }]
    for (const answer of answers) {
      const isFull = ask(answer, answered * 2)
      const isLast = answer.calls.length === 0
      if (isFull) compact(false)
      // The agent is told to continue, but has nothing left to do.
      if (isFull && isLast) ask(NOTHING_LEFT, answered * 2 + 1)
      answered++
    }
    if (prune) talk = pruned(talk)
  }
}
