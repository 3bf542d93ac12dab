import type {
  JSONObject as SdkJSONObject,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider"
import type { JSONObject, ModelMessage, ToolResultContent } from "@pawl/core/provider"
import { toFilePart } from "./file-part.ts"

type Content<Role extends ModelMessage["role"]> = Extract<ModelMessage, { role: Role }>["content"]
type PromptContent<Role extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { role: Role }
>["content"]

/** Converts a message to none if it is empty, and to two if tool results contain files. */
export function toPrompt(message: ModelMessage): readonly LanguageModelV4Message[] {
  const { role, content } = message
  if (content.length === 0) return []
  if (role === "user") return [{ role, content: userContent(content) }]
  if (role === "assistant") return [{ role, content: assistantContent(content) }]
  return [{ role, content: content.map(toolResult) }, ...attachedMedia(content)]
}

function userContent(content: Content<"user">): PromptContent<"user"> {
  return content.map((part) => (part.type === "file" ? toFilePart(part) : { type: "text", text: part.text }))
}

function assistantContent(content: Content<"assistant">): PromptContent<"assistant"> {
  return content.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text }
    if (part.type === "reasoning") return { type: "reasoning", text: part.text, ...providerOptions(part.metadata) }
    const call = { type: "tool-call", toolCallId: part.callID, toolName: part.name, input: part.input } as const
    return part.metadata === undefined ? call : { ...call, ...providerOptions(part.metadata) }
  })
}

function toolResult({ callID, name, output, isError }: ToolResultContent): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: callID,
    toolName: name,
    output: { type: isError ? "error-text" : "text", value: output },
  }
}

// Most wire formats do not support files in a tool result, so they follow as a user message.
function attachedMedia(results: readonly ToolResultContent[]): LanguageModelV4Message[] {
  if (!results.some(({ attachments }) => attachments)) return []
  const files: LanguageModelV4FilePart[] = results.flatMap(({ attachments }) => attachments ?? []).map(toFilePart)
  if (files.length === 0) return []
  return [{ role: "user", content: [{ type: "text", text: "Attached media from tool result:" }, ...files] }]
}

function providerOptions(metadata: JSONObject | undefined): { providerOptions?: Record<string, SdkJSONObject> } {
  return metadata === undefined ? {} : { providerOptions: metadata as Record<string, SdkJSONObject> }
}
