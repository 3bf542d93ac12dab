import { call, type ChatMessage, type ChatRequest, deltas, type Reply, reply, text, wait } from "@pawl/model-server"
import { variedWords } from "./varied-words.ts"

export const GREETING = "Hello, what shall we do?"

/**
 * Returns a prompt that is answered with `count` calls, one per step. `$n` in the input becomes the step's number.
 * `pauseMs`: time that the model takes for each answer. Default: 0
 */
export function stepsPrompt(count: number, tool: string, input: string, pauseMs = 0): string {
  return `Take ${count} steps of ${pauseMs} ms with ${tool} ${input}`
}

/** Returns a prompt that is answered with `count` words, each as a delta. */
export function deltasPrompt(count: number): string {
  return `Say ${count} words`
}

/** The reply depends only on the conversation, so one server can serve all clients in any order. */
export function replyTo({ messages }: ChatRequest): Reply {
  const asked = messages.findLastIndex(({ role }) => role === "user")
  const prompt = textOf(messages[asked])
  const steps = /Take (\d+) steps of (\d+) ms with (\w+) (\{.*\})/.exec(prompt)
  if (steps) {
    const [, count, pause, tool = "", input = ""] = steps
    const taken = messages.slice(asked).filter(({ role }) => role === "assistant").length
    if (taken === Number(count)) return reply(text("Done."))
    const step = call(tool, input.replaceAll("$n", String(taken + 1)))
    return Number(pause) > 0 ? reply(wait(Number(pause)), step) : reply(step)
  }
  const said = /Say (\d+) words/.exec(prompt)
  if (said) return reply(deltas({ count: Number(said[1]), text: variedWords }))
  return reply(text(GREETING))
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? ""
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n")
}
