import { dataURL, type PartView, type RequestView, toTurns, type Turn, type Wire } from "../request-view.ts"

interface ChatBody {
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { function: { name: string; description: string; parameters: unknown } }[]
}

interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool"
  readonly content: string | null | readonly ChatPart[]
  readonly reasoning_content?: string
  readonly tool_calls?: readonly { function: { name: string; arguments: string } }[]
}

type ChatPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  | { readonly type: "file"; readonly file: { readonly file_data: string } }

/** OpenAI Chat Completions. */
export const chatWire: Wire = {
  key: ({ authorization }) => (typeof authorization === "string" ? authorization.replace(/^Bearer /, "") : undefined),
  read(body): RequestView {
    const { messages, tools = [] } = body as ChatBody
    const isSystem = ({ role }: ChatMessage) => role === "system" || role === "developer"
    return {
      system: messages.filter(isSystem).map(({ content }) => textOf(content)),
      turns: toTurns(messages.filter((message) => !isSystem(message)).map(toTurn)),
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        schema: parameters,
      })),
      marks: [],
    }
  },
}

function toTurn({ role, content, reasoning_content: reasoning, tool_calls: calls = [] }: ChatMessage): Turn {
  if (role === "tool") return { role: "user", parts: [{ type: "result", output: textOf(content) }] }
  if (role !== "assistant") return { role: "user", parts: toParts(content) }
  const thoughts: PartView[] = reasoning ? [{ type: "reasoning", text: reasoning, signature: undefined }] : []
  const spoken = calls.map(({ function: { name, arguments: input } }): PartView => {
    return { type: "call", name, input: JSON.parse(input) as unknown }
  })
  return { role, parts: [...thoughts, ...toParts(content), ...spoken] }
}

function textOf(content: ChatMessage["content"]): string {
  return toParts(content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
}

function toParts(content: ChatMessage["content"]): PartView[] {
  if (content === null || content === "") return []
  if (typeof content === "string") return [{ type: "text", text: content }]
  return content.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text }
    return dataURL(part.type === "image_url" ? part.image_url.url : part.file.file_data)
  })
}
