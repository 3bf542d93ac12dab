import { type PartView, type RequestView, toTurns, type Wire } from "../request-view.ts"

interface GeminiBody {
  readonly systemInstruction?: { readonly parts: readonly { text: string }[] }
  readonly contents: readonly { readonly role?: "user" | "model"; readonly parts: readonly GeminiPart[] }[]
  readonly tools?: readonly { readonly functionDeclarations?: readonly Declaration[] }[]
}

interface Declaration {
  readonly name: string
  readonly description: string
  readonly parameters?: unknown
  readonly parametersJsonSchema?: unknown
}

interface GeminiPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly name: string; readonly args: unknown }
  readonly functionResponse?: { readonly response: unknown }
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
}

/** Gemini's generateContent. A signature stands on the part it belongs to, which may be a call. */
export const geminiWire: Wire = {
  key: ({ "x-goog-api-key": key }) => (typeof key === "string" ? key : undefined),
  read(body): RequestView {
    const { systemInstruction, contents, tools = [] } = body as GeminiBody
    return {
      system: systemInstruction?.parts.map(({ text }) => text) ?? [],
      turns: toTurns(
        contents.map(({ role, parts }) => ({
          role: role === "model" ? "assistant" : "user",
          parts: parts.flatMap(toParts),
        })),
      ),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(toTool)),
      marks: [],
    }
  },
}

function toTool({ name, description, parameters, parametersJsonSchema }: Declaration) {
  return { name, description, schema: parametersJsonSchema ?? parameters }
}

function toParts(part: GeminiPart): PartView[] {
  const { text, thought, thoughtSignature: signature, functionCall, functionResponse, inlineData } = part
  if (functionCall) {
    const call: PartView = { type: "call", name: functionCall.name, input: functionCall.args ?? {} }
    return signature === undefined ? [call] : [{ type: "reasoning", text: "", signature }, call]
  }
  if (functionResponse) return [{ type: "result", output: outputOf(functionResponse.response) }]
  if (inlineData) return [{ type: "file", mime: inlineData.mimeType, base64: inlineData.data }]
  if (thought) return [{ type: "reasoning", text: text ?? "", signature }]
  return [{ type: "text", text: text ?? "" }]
}

// The response is an object with one text under a name of the client's choice, beside the tool's name.
function outputOf(response: unknown): string {
  if (typeof response !== "object" || response === null) return String(response)
  const { content, output, result, error } = response as Readonly<Record<string, unknown>>
  return String(content ?? output ?? result ?? error)
}
