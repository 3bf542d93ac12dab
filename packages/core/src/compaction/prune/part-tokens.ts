import { type MessageWithParts, type Part, type ToolPart, isMedia } from "../../record/message.ts"
import type { Model } from "../../contracts/model.ts"
import { CLEARED_OUTPUT } from "../../request/model-messages.ts"
import { type MediaFacts, mediaFacts, mediaTokens } from "../../measure/media-tokens.ts"
import { jsonBytes, textBytes } from "../../measure/measure.ts"

/** Token scale of a model: text by bytes, media by the model's rules. */
export interface TokenScale {
  readonly bytesPerToken: number
  readonly model: Pick<Model, "inputRules">
}

export interface PartTokens {
  /** Returns the tokens that clearing the output of this call removes from the context. */
  cleared(part: ToolPart, scale: TokenScale): number
  /** Returns the tokens of the message in the context. */
  message(message: MessageWithParts, scale: TokenScale): number
}

interface KnownPart {
  readonly bytes: number
  /** Bytes of a completed call's output; included in `bytes`. */
  readonly outputBytes: number
  readonly files: readonly MediaFacts[]
}

/** Counts tokens of parts. Reads each part once, by identity. */
export function createPartTokens(): PartTokens {
  const parts = new WeakMap<Part, KnownPart>()

  function known(part: Part): KnownPart {
    let found = parts.get(part)
    if (!found) parts.set(part, (found = readPart(part)))
    return found
  }
  const mediaOf = ({ files }: KnownPart, { model }: TokenScale) => {
    return files.reduce((sum, facts) => sum + mediaTokens(facts, model), 0)
  }

  return {
    cleared(part, scale) {
      const found = known(part)
      return (found.outputBytes - textBytes(CLEARED_OUTPUT)) / scale.bytesPerToken + mediaOf(found, scale)
    },
    message(message, scale) {
      return message.parts.reduce((sum, part) => {
        const found = known(part)
        return sum + found.bytes / scale.bytesPerToken + mediaOf(found, scale)
      }, 0)
    },
  }
}

function readPart(part: Part): KnownPart {
  if (part.type === "text" && part.ignored) return { bytes: 0, outputBytes: 0, files: [] }
  if (part.type === "text" || part.type === "reasoning") {
    return { bytes: textBytes(part.text), outputBytes: 0, files: [] }
  }
  if (part.type === "file" && isMedia(part) && !part.rejected) {
    return { bytes: 0, outputBytes: 0, files: [mediaFacts(part)] }
  }
  if (part.type !== "tool") return { bytes: 0, outputBytes: 0, files: [] }
  const inputBytes = textBytes(part.tool) + jsonBytes(part.state.input)
  const { text, files } = result(part)
  const outputBytes = textBytes(text)
  return { bytes: inputBytes + outputBytes, outputBytes, files }
}

/** Returns the result of a call as the model reads it. */
function result({ state }: ToolPart): { readonly text: string; readonly files: readonly MediaFacts[] } {
  if (state.status === "error") return { text: state.error, files: [] }
  if (state.status !== "completed") return { text: "", files: [] }
  if (state.time.compacted !== undefined) return { text: CLEARED_OUTPUT, files: [] }
  return { text: state.output, files: (state.attachments ?? []).map((file) => mediaFacts(file)) }
}
