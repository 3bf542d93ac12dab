import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible"
import type { ChatMessage, ChatRequest } from "@pawl/model-server"

type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>
export type Prompt = Parameters<LanguageModel["doStream"]>[0]["prompt"]
type PromptMessage = Prompt[number]

/** Converts the messages of a request for the AI SDK, so that it can send them again. */
export function toPrompt({ messages }: ChatRequest): Prompt {
  const names = new Map(
    messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => [call.id, call.function.name]),
  )
  return messages.map((message) => toPromptMessage(message, names))
}

function toPromptMessage(
  { role, content, tool_calls, tool_call_id = "" }: ChatMessage,
  names: ReadonlyMap<string, string>,
): PromptMessage {
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n")
  switch (role) {
    case "assistant": {
      const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => {
        return { type: "tool-call" as const, toolCallId: id, toolName: name, input: JSON.parse(input) as unknown }
      })
      return { role, content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls] }
    }
    case "tool": {
      const result = {
        toolCallId: tool_call_id,
        toolName: names.get(tool_call_id) ?? "",
        output: { type: "text" as const, value: text },
      }
      return { role, content: [{ type: "tool-result", ...result }] }
    }
    case "user":
      return { role, content: [{ type: "text", text }] }
    default:
      return { role: "system", content: text }
  }
}
