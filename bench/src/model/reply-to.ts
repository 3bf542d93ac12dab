import { call, type ChatMessage, type ChatRequest, deltas, type Reply, reply, text } from "@pawl/model-server"
import { variedWords } from "./varied-words.ts"

export const GREETING = "Hello, what shall we do?"

/** A prompt that is answered with so many calls, one a step. `$n` in the input becomes the number of the step. */
export function stepsPrompt(count: number, tool: string, input: string): string {
  return `Take ${count} steps with ${tool} ${input}`
}

/** A prompt that is answered with so many words, each as a delta of its own. */
export function deltasPrompt(count: number): string {
  return `Say ${count} words`
}

/** What the model says depends on the conversation alone, so that one server serves all clients in any order. */
export function replyTo({ messages }: ChatRequest): Reply {
  const asked = messages.findLastIndex(({ role }) => role === "user")
  const prompt = textOf(messages[asked])
  const steps = /Take (\d+) steps with (\w+) (\{.*\})/.exec(prompt)
  if (steps) {
    const [, count, tool = "", input = ""] = steps
    const taken = messages.slice(asked).filter(({ role }) => role === "assistant").length
    return taken < Number(count) ? reply(call(tool, input.replaceAll("$n", String(taken + 1)))) : reply(text("Done."))
  }
  const said = /Say (\d+) words/.exec(prompt)
  if (said) return reply(deltas({ count: Number(said[1]), text: variedWords }))
  return reply(text(GREETING))
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? ""
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n")
}
