import { isObject } from "../../json-object.ts"
import { signatureOf } from "../signature.ts"
import { toCallSignature } from "./call-signature.ts"

/** Creates the parts of one answer in order. `undefined`: there is nothing to send. */
export interface GeminiParts {
  text(text: string): object
  reasoning(text: string, signature: string | undefined): object
  /** Signs only the first call of an answer. Omits a call whose input is not an object: see `isMalformed`. */
  call(call: { id: string; name: string; input: string }): object | undefined
  /** Ends the content. If there was reasoning but no call, adds an empty text with its signature. */
  end(isEmpty: boolean): object[]
  /** Returns true if there was a call that the API cannot represent. */
  isMalformed(): boolean
}

export function geminiParts(): GeminiParts {
  let thoughts = ""
  let signature: string | undefined
  let isSigned = false
  let isMalformed = false

  return {
    text: (text) => ({ text }),
    reasoning(text, given) {
      thoughts += text
      signature = given ?? signature
      return { text, thought: true }
    },
    call({ id, name, input }) {
      const args = toArgs(input)
      if (args === undefined) {
        isMalformed = true
        return undefined
      }
      const functionCall = { id, name, args }
      if (isSigned) return { functionCall }
      isSigned = true
      return { functionCall, thoughtSignature: signature ?? toCallSignature(name, args) }
    },
    end(isEmpty) {
      if (thoughts !== "" && !isSigned) return [{ text: "", thoughtSignature: signature ?? signatureOf(thoughts) }]
      return isEmpty ? [{ text: "" }] : []
    },
    isMalformed: () => isMalformed,
  }
}

function toArgs(input: string): object | undefined {
  if (input === "") return {}
  try {
    const args: unknown = JSON.parse(input)
    return isObject(args) ? args : undefined
  } catch {
    return undefined
  }
}
