import { setTimeout as delay } from "node:timers/promises"

export interface Seen {
  readonly id: string
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** Follows an event stream. `until` resolves when an event has come. */
export function following(response: Response) {
  const seen: Seen[] = []
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const done = (async () => {
    let text = ""
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1] ?? ""
        const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}") as Omit<Seen, "id">
        seen.push({ ...data, id })
      }
    }
  })().catch(() => undefined)
  return {
    seen,
    done,
    types: () => seen.map(({ type }) => type),
    async until(type: string) {
      while (!seen.some((each) => each.type === type)) await delay(2)
    },
    cancel: () => reader.cancel(),
  }
}
