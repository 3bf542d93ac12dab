import { dataURL, type PartView, type RequestView, toTurns, type Turn, type Wire } from "../request-view.ts"

interface ResponsesBody {
  readonly instructions?: string
  readonly input: readonly Item[]
  readonly tools?: readonly { name: string; description: string; parameters: unknown }[]
}

type Item =
  | { readonly type?: "message"; readonly role: Role; readonly content: string | readonly Content[] }
  | { readonly type: "reasoning"; readonly summary: readonly { text: string }[]; readonly encrypted_content?: string }
  | { readonly type: "function_call"; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly output: string | readonly { text?: string }[] }

type Role = "system" | "developer" | "user" | "assistant"

type Content =
  | { readonly type: "input_text" | "output_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string }
  | { readonly type: "input_file"; readonly file_data: string }

/** OpenAI Responses. */
export const responsesWire: Wire = {
  key: ({ authorization }) => (typeof authorization === "string" ? authorization.replace(/^Bearer /, "") : undefined),
  read(body): RequestView {
    const { instructions, input, tools = [] } = body as ResponsesBody
    const system = input.flatMap((item) => (isSystem(item) ? [textOf(item.content)] : []))
    return {
      system: instructions === undefined ? system : [instructions, ...system],
      turns: toTurns(input.filter((item) => !isSystem(item)).map(toTurn)),
      tools: tools.map(({ name, description, parameters: schema }) => ({ name, description, schema })),
      marks: [],
    }
  },
}

function isSystem(item: Item): item is Extract<Item, { role: Role }> {
  return "role" in item && (item.role === "system" || item.role === "developer")
}

function textOf(content: string | readonly Content[]): string {
  return typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("")
}

function toTurn(item: Item): Turn {
  switch (item.type) {
    case "reasoning": {
      const text = item.summary.map(({ text }) => text).join("")
      return { role: "assistant", parts: [{ type: "reasoning", text, signature: item.encrypted_content }] }
    }
    case "function_call":
      return { role: "assistant", parts: [{ type: "call", name: item.name, input: JSON.parse(item.arguments) }] }
    case "function_call_output": {
      const { output } = item
      const text = typeof output === "string" ? output : output.map(({ text = "" }) => text).join("")
      return { role: "user", parts: [{ type: "result", output: text }] }
    }
    default:
      return { role: item.role === "assistant" ? "assistant" : "user", parts: toParts(item.content) }
  }
}

function toParts(content: string | readonly Content[]): PartView[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return content.map((part) => {
    if ("text" in part) return { type: "text", text: part.text }
    return dataURL(part.type === "input_image" ? part.image_url : part.file_data)
  })
}
