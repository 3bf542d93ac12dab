import type {
  AssistantMessage,
  MessageWithParts,
  TextPart,
  ToolPart,
  UserMessage,
} from "../../../src/record/message.ts"
import { complete, fail, pending, run } from "../../../src/contracts/tool-state.ts"
import { createAnswerJudge } from "../../../src/repetition/answers.ts"
import { describeCall } from "../../../src/repetition/call-key.ts"
import { type LoopTraits } from "../../../src/contracts/tool.ts"
import { canonicalJSON } from "../../../src/base/json.ts"
import { type CallJudge, createCallJudge } from "../../../src/repetition/calls.ts"
import type { Repetition } from "../../../src/repetition/repetition.ts"
import { requestedTimes } from "../../../src/repetition/requested-times.ts"
import { createTextWatch } from "../../../src/repetition/text.ts"
import { createCallsOfTurn } from "../../../src/repetition/turn-calls.ts"
import type { Trace, TraceCall, TraceEvent } from "./trace.ts"

const sessionID = "ses_1"
const model = { providerID: "acme", modelID: "small" }
const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** The commands of the corpus by which an agent waits; the real tool knows more of them. */
const WAITING =
  /\bsleep \d|\bgh (run view|pr checks)\b|\bkubectl (-n \w+ )?(get|rollout status)\b|\bdocker compose ps\b|\btail\b.*\.log\b|\bcurl -s localhost|\bpg_isready\b/

/** What the tools of the traces say of their repetition. */
export const traits: Readonly<Record<string, LoopTraits>> = {
  bash: {
    loopKey: ({ command, workdir }) => canonicalJSON({ command, workdir }),
    pollable: ({ command }) => typeof command === "string" && WAITING.test(command),
  },
  job_output: { pollable: true },
}

export interface Flag {
  readonly repetition: Repetition
  /** The answer that was flagged, from 1. */
  readonly answer: number
}

/** Runs a trace as a session would, until something is flagged: the texts as they stream, each call before it runs. */
export function replay({ events }: Pick<Trace, "events">): Flag | undefined {
  const callsOfTurn = createCallsOfTurn((tool) => traits[tool])
  const judgeAnswers = createAnswerJudge()
  const session = createSession()
  session.prompt("Please fix it.", false)
  let answer = 0
  for (const event of events) {
    const judgeCall = createCallJudge(callsOfTurn(session.messages()))
    if (event.type === "prompt") session.prompt(event.text, false)
    if (event.type === "compact") session.compact(event.keep)
    if (event.type === "answer") {
      answer++
      const repetition = repeatedText(event.text) ?? repeatedCall(session, judgeCall, event.calls)
      if (repetition) return { repetition, answer }
      session.answer(event)
    }
    const repetition = judgeAnswers(session.messages())
    if (repetition) return { repetition, answer }
  }
  return undefined
}

function repeatedText(text: string): Repetition | undefined {
  const watch = createTextWatch()
  for (let at = 0; at < text.length; at += 5) {
    const repetition = watch.append(text.slice(at, at + 5))
    if (repetition) return repetition
  }
  return undefined
}

function repeatedCall(
  session: ReturnType<typeof createSession>,
  judgeCall: CallJudge,
  calls: readonly TraceCall[],
): Repetition | undefined {
  const reply = session.nextID()
  for (const { tool, args } of calls) {
    const next = { ...describeCall(tool, args, traits[tool]), reply }
    const verdict = judgeCall(next, () => requestedTimes(session.messages()))
    if (verdict.type === "repeats") return verdict.repetition
  }
  return undefined
}

/** As a compaction keeps it beside its summary. */
function keptRequest(owner: Pick<TextPart, "sessionID" | "messageID">, text: string): TextPart {
  const metadata = { compaction: "state", kind: "requests", value: [{ id: "msg_0", text }] }
  return { ...owner, id: `prt_${owner.messageID}_2`, type: "text", text, synthetic: true, metadata }
}

function createSession() {
  let messages: MessageWithParts[] = []
  let made = 0
  let parentID: UserMessage["id"] = "msg_0"
  let request = ""
  const number = (count: number) => String(count).padStart(5, "0")

  function prompt(text: string, synthetic: boolean, compaction = false) {
    if (!synthetic) request = text
    parentID = `msg_${number(++made)}`
    const info = { id: parentID, sessionID, role: "user", time: { created: 1 }, agent: "build", model } as const
    const owner = { sessionID, messageID: parentID } as const
    messages.push({
      info,
      parts: [
        ...(compaction ? [{ ...owner, id: `prt_${parentID}_0`, type: "compaction", auto: true } as const] : []),
        { ...owner, id: `prt_${parentID}_1`, type: "text", text, ...(synthetic ? { synthetic } : {}) },
        ...(compaction ? [keptRequest(owner, request)] : []),
      ],
    })
  }
  function answer({ text, calls }: Extract<TraceEvent, { type: "answer" }>, summary = false) {
    const id = `msg_${number(++made)}` as const
    const path = { cwd: "/work", root: "/work" }
    const written = { ...model, agent: "build", mode: "build", path, cost: 0, tokens }
    const info: AssistantMessage = {
      ...{ id, sessionID, role: "assistant", parentID, time: { created: 1, completed: 2 }, ...written },
      ...(summary ? { summary, finish: "stop" } : {}),
    }
    const owner = { sessionID, messageID: id } as const
    const said = { ...owner, id: `prt_${id}_t`, type: "text", text, time: { start: 1, end: 2 } } as const
    messages.push({
      info,
      parts: [
        ...(text ? [said] : []),
        ...calls.map((made, at): ToolPart => {
          const part = {
            ...owner,
            id: `prt_${id}_${at}`,
            type: "tool",
            callID: `${id}_${at}`,
            tool: made.tool,
          } as const
          const running = run(pending(JSON.stringify(made.args)), made.args, 1)
          if (made.failed) return { ...part, state: fail(running, made.output, 2) }
          return { ...part, state: complete(running, { title: made.tool, output: made.output }, [], 2) }
        }),
      ],
    })
  }
  return {
    prompt,
    answer,
    nextID: () => `msg_${number(made + 1)}`,
    messages: () => [...messages],
    compact(keep: number) {
      const tail = keep === 0 ? [] : messages.slice(-keep)
      messages = []
      prompt("Todos: fix it.", true, true)
      const marker = messages
      answer(
        {
          type: "answer",
          text: "## Goal\nFix it.\n## Accomplished\nNothing yet that would be worth a line.",
          calls: [],
        },
        true,
      )
      // The tail is older than the marker, and the boundary is its first message.
      messages = [...tail, ...marker]
      prompt("Go on.", true)
    },
  }
}
