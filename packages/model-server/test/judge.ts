import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"

/** A prompt with one message of the user. */
export const hello: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
}

/** The tool that the scripts of the tests call. */
export const readTool = {
  type: "function",
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { filePath: { type: "string" } }, required: ["filePath"] },
} as const

/** Every part that the vendor's own client makes of a streamed answer. */
export async function streamParts(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions = hello,
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part)
  return parts
}

/** The parts of these types, in order. */
export function ofType<Type extends LanguageModelV4StreamPart["type"]>(
  parts: readonly LanguageModelV4StreamPart[],
  type: Type,
): Extract<LanguageModelV4StreamPart, { type: Type }>[] {
  return parts.filter((part): part is Extract<LanguageModelV4StreamPart, { type: Type }> => part.type === type)
}

/** The deltas of a kind, joined. */
export function joined(parts: readonly LanguageModelV4StreamPart[], type: "text-delta" | "reasoning-delta"): string {
  return ofType(parts, type)
    .map((part) => part.delta)
    .join("")
}

/** The types of all parts in order, a run of the same type as one. */
export function typesOf(parts: readonly LanguageModelV4StreamPart[]): string[] {
  return parts.map((part) => part.type).filter((type, index, types) => type !== types[index - 1])
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"]

/** The answer as a client gives it back in its next request, with what the vendor attached to its parts. */
export function toAssistantContent(parts: readonly LanguageModelV4StreamPart[]): AssistantContent {
  const content: AssistantContent = []
  for (const part of parts) {
    const options =
      "providerMetadata" in part && part.providerMetadata ? { providerOptions: part.providerMetadata } : {}
    const last = content.at(-1)
    switch (part.type) {
      case "text-start":
        content.push({ type: "text", text: "", ...options })
        break
      case "reasoning-start":
        content.push({ type: "reasoning", text: "", ...options })
        break
      case "text-delta":
      case "reasoning-delta":
        if (last?.type === "text" || last?.type === "reasoning")
          Object.assign(last, options, { text: last.text + part.delta })
        break
      case "text-end":
      case "reasoning-end":
        if (last !== undefined) Object.assign(last, options)
        break
      case "tool-call": {
        const { toolCallId, toolName, input } = part
        content.push({
          type: "tool-call",
          toolCallId,
          toolName,
          input: JSON.parse(input || "{}") as unknown,
          ...options,
        })
      }
    }
  }
  return content
}

/** The results of all calls in an answer. */
export function toResults(content: AssistantContent): LanguageModelV4Message {
  const calls = content.filter((part) => part.type === "tool-call")
  return {
    role: "tool",
    content: calls.map(({ toolCallId, toolName }, index) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: index === 0 ? "text" : "error-text", value: `result ${index}` },
    })),
  }
}
