/** A content that is valid. */
export interface GeminiContent {
  readonly role?: "user" | "model"
  readonly parts: readonly GeminiPart[]
}

/** Exactly one of these fields has a value other than null. */
export interface GeminiPart {
  readonly functionCall?: { readonly id?: string | null; readonly name: string; readonly args?: object | null } | null
  readonly functionResponse?: { readonly id?: string | null; readonly name: string } | null
  readonly thoughtSignature?: string | null
}

export function callsOf(content: GeminiContent | undefined) {
  return content?.parts.flatMap(({ functionCall }) => functionCall ?? []) ?? []
}

export function responsesOf(content: GeminiContent | undefined) {
  return content?.parts.flatMap(({ functionResponse }) => functionResponse ?? []) ?? []
}
