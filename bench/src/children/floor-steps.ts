// The minimal client: sends requests, runs the calls and stores nothing. Starts with a recorded request of another
// client.
import type { ChatMessage, ChatRequest } from "@pawl/model-server"
import { readInput } from "../measure/input.ts"

const { url, firstBody } = readInput() as { url: string; firstBody: string }
const body = JSON.parse(firstBody) as ChatRequest

for (;;) {
  const answer = await ask()
  body.messages.push(answer)
  if (!answer.tool_calls) break
  for (const { id } of answer.tool_calls) {
    body.messages.push({ role: "tool", tool_call_id: id, content: "Nothing to wait for." })
  }
}
process.send?.("done")
process.disconnect()

async function ask(): Promise<ChatMessage> {
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  let content = ""
  const calls: NonNullable<ChatMessage["tool_calls"]> = []
  for (const frame of text.split("\n\n")) {
    if (!frame.startsWith("data: {")) continue
    const delta = (JSON.parse(frame.slice(6)) as Chunk).choices[0]?.delta
    content += delta?.content ?? ""
    for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
      calls[index] ??= { id: id ?? "", type: "function", function: { name: piece.name ?? "", arguments: "" } }
      calls[index].function.arguments += piece.arguments ?? ""
    }
  }
  return calls.length > 0 ? { role: "assistant", content: null, tool_calls: calls } : { role: "assistant", content }
}

interface Chunk {
  readonly choices: readonly { readonly delta: Delta }[]
}

interface Delta {
  readonly content?: string
  readonly tool_calls?: readonly {
    readonly index: number
    readonly id?: string
    readonly function: { readonly name?: string; readonly arguments?: string }
  }[]
}
