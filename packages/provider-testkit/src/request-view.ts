/** The content of a request in a form common to all APIs. */
export interface RequestView {
  readonly system: readonly string[]
  /** The conversation; what one side sends in a row is one turn. Results of tools are the user's. */
  readonly turns: readonly Turn[]
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: unknown }[]
  /** Up to where the vendor is asked to cache, in order: `tools`, `system`, or the index of a turn. */
  readonly marks: readonly ("tools" | "system" | number)[]
}

export interface Turn {
  readonly role: "user" | "assistant"
  readonly parts: readonly PartView[]
}

export type PartView =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly signature: string | undefined }
  | { readonly type: "call"; readonly name: string; readonly input: unknown }
  | { readonly type: "result"; readonly output: string }
  | { readonly type: "file"; readonly mime: string; readonly base64: string }

/** How one vendor's API spells a request. */
export interface Wire {
  /** Returns the API key of a request. */
  readonly key: (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => string | undefined
  readonly read: (body: unknown) => RequestView
}

/** Joins what one side sends in a row. */
export function toTurns(messages: readonly Turn[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last?.role === message.role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else turns.push(message)
  }
  return turns
}

/** The file in a `data:` URL. */
export function dataURL(url: string): PartView {
  const [head = "", base64 = ""] = url.split(",", 2)
  return { type: "file", mime: head.replace(/^data:|;base64$/g, ""), base64 }
}
