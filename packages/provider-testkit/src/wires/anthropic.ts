import { type PartView, type RequestView, toTurns, type Wire } from "../request-view.ts"

interface MessagesBody {
  readonly system?: string | readonly (Marked & { readonly text: string })[]
  readonly messages: readonly { role: "user" | "assistant"; content: string | readonly Block[] }[]
  readonly tools?: readonly (Marked & { name: string; description: string; input_schema: unknown })[]
}

interface Marked {
  readonly cache_control?: unknown
}

type Block = Marked &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
    | { readonly type: "redacted_thinking"; readonly data: string }
    | { readonly type: "tool_use"; readonly name: string; readonly input: unknown }
    | { readonly type: "tool_result"; readonly content: string | readonly { text?: string }[] }
    | { readonly type: "image" | "document"; readonly source: { media_type: string; data: string } }
  )

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  key: ({ "x-api-key": key }) => (typeof key === "string" ? key : undefined),
  read(body): RequestView {
    const { system = [], messages, tools = [] } = body as MessagesBody
    const blocks = typeof system === "string" ? [{ text: system }] : system
    return {
      system: blocks.map(({ text }) => text),
      turns: toTurns(messages.map(({ role, content }) => ({ role, parts: toBlocks(content).map(toPart) }))),
      tools: tools.map(({ name, description, input_schema: schema }) => ({ name, description, schema })),
      marks: [
        ...(tools.some(isMarked) ? (["tools"] as const) : []),
        ...(blocks.some(isMarked) ? (["system"] as const) : []),
        ...messages.flatMap(({ content }, at) => (toBlocks(content).some(isMarked) ? [at] : [])),
      ],
    }
  },
}

function isMarked({ cache_control: mark }: Marked): boolean {
  return mark !== undefined
}

function toBlocks(content: string | readonly Block[]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content
}

function toPart(block: Block): PartView {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text }
    case "thinking":
      return { type: "reasoning", text: block.thinking, signature: block.signature }
    case "redacted_thinking":
      return { type: "reasoning", text: "", signature: block.data }
    case "tool_use":
      return { type: "call", name: block.name, input: block.input }
    case "tool_result":
      return { type: "result", output: resultText(block.content) }
    default:
      return { type: "file", mime: block.source.media_type, base64: block.source.data }
  }
}

function resultText(content: string | readonly { text?: string }[]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("")
}
