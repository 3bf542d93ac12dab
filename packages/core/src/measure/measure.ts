import type { Model, ModelMessage, ModelRequest, ToolDefinition } from "../contracts/model.ts"
import { type MediaFacts, mediaFacts, mediaTokens } from "./media-tokens.ts"

/** Size of a message: UTF-8 bytes of text, and tokens of media, which do not follow from bytes. */
export interface Size {
  readonly bytes: number
  readonly media: number
}

/** The size of a request before a model has counted it. */
export interface Measurement {
  readonly bytes: { readonly system: number; readonly tools: number; readonly messages: number }
  /** Tokens of all images, documents and recordings. */
  readonly media: number
  /** Sizes of the messages in the request's order; their sums are `bytes.messages` and `media`. */
  readonly messages: readonly Size[]
}

export type MeasuredRequest = Pick<ModelRequest, "system" | "tools" | "messages">

export interface Measure {
  request(request: MeasuredRequest, model: Pick<Model, "inputRules">): Measurement
  message(message: ModelMessage, model: Pick<Model, "inputRules">): Size
}

/** Bytes for role markers and separators around a message, a block of the system prompt or a tool. */
const FRAME_BYTES = 16

/** The size of a message with files, whose tokens depend on the model. */
interface WithFiles {
  readonly bytes: number
  readonly files: readonly MediaFacts[]
}

/**
 * Measures each message and each list of tools once, by identity, so that a step only adds known numbers. Does not
 * count provider metadata, such as signatures: the calibration includes it.
 */
export function createMeasure(): Measure {
  const messages = new WeakMap<ModelMessage, Size | WithFiles>()
  const tools = new WeakMap<readonly ToolDefinition[], number>()

  function message(message: ModelMessage, model: Pick<Model, "inputRules">): Size {
    let known = messages.get(message)
    if (!known) messages.set(message, (known = readMessage(message)))
    if (!("files" in known)) return known
    return { bytes: known.bytes, media: known.files.reduce((sum, facts) => sum + mediaTokens(facts, model), 0) }
  }

  return {
    message,
    request(request, model) {
      let toolBytes = tools.get(request.tools)
      if (toolBytes === undefined) tools.set(request.tools, (toolBytes = bytesOfTools(request.tools)))
      const sizes: Size[] = []
      let bytes = 0
      let media = 0
      for (const each of request.messages) {
        const size = message(each, model)
        bytes += size.bytes
        media += size.media
        sizes.push(size)
      }
      const system = request.system.reduce((sum, block) => sum + FRAME_BYTES + textBytes(block), 0)
      return { bytes: { system, tools: toolBytes, messages: bytes }, media, messages: sizes }
    },
  }
}

/** Returns the bytes of text in the whole request. */
export function totalBytes({ bytes }: Pick<Measurement, "bytes">): number {
  return bytes.system + bytes.tools + bytes.messages
}

export function textBytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Returns the bytes of the value as JSON; 0 if the value has no JSON text. */
export function jsonBytes(value: unknown): number {
  return textBytes(JSON.stringify(value) ?? "")
}

function bytesOfTools(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, { name, description, inputSchema }) => {
    return sum + FRAME_BYTES + textBytes(name) + textBytes(description) + jsonBytes(inputSchema)
  }, 0)
}

/**
 * Measures a message. Avoids a list of files if possible: nearly all messages have no files, and there may be
 * thousands.
 */
function readMessage({ content }: ModelMessage): Size | WithFiles {
  let bytes = FRAME_BYTES
  let files: readonly MediaFacts[] | undefined
  for (const item of content) {
    if (item.type === "text" || item.type === "reasoning") bytes += textBytes(item.text)
    else if (item.type === "tool-call") bytes += textBytes(item.name) + jsonBytes(item.input)
    else if (item.type === "tool-result") {
      bytes += textBytes(item.output)
      if (item.attachments) files = [...(files ?? []), ...item.attachments.map((file) => mediaFacts(file))]
    } else files = [...(files ?? []), mediaFacts(item)]
  }
  return files ? { bytes, files } : { bytes, media: 0 }
}
