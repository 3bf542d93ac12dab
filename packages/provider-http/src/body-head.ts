/** A body whose beginning has been read. Continue with either `whole` or `document`. */
export interface BodyHead {
  /** The first text of the body, without leading blanks; empty if there is no text. */
  readonly text: string
  /** The body from its first byte on. */
  whole(): ReadableStream<Uint8Array<ArrayBuffer>>
  /** Returns the text up to the end of the body, 64 KiB, or the end of the first JSON value. Discards the rest. */
  document(): Promise<string>
}

/** In bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024

/** A document in more chunks than this is read to its end before it is parsed. */
const MAX_PARSE_ATTEMPTS = 64

/** Reads a body until the first text, its end, or 64 KiB of blanks. */
export async function readHead(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<BodyHead> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let text = ""
  let bytes = 0

  async function readOn(): Promise<boolean> {
    const { done, value } = await reader.read()
    if (done) return false
    chunks.push(value)
    bytes += value.length
    const more = decoder.decode(value, { stream: true })
    text = text === "" ? more.trimStart() : text + more
    return true
  }

  let isOpen = await readOn()
  while (isOpen && text === "" && bytes < MAX_DOCUMENT_BYTES) isOpen = await readOn()
  return {
    text,
    whole: () =>
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
        },
        async pull(controller) {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel: (reason) => reader.cancel(reason),
      }),
    async document() {
      // A server that sends a value on each line may go on for minutes.
      let parsed = 0
      const isWhole = () => parsed++ < MAX_PARSE_ATTEMPTS && isJson(text)
      while (isOpen && text.length < MAX_DOCUMENT_BYTES && !isWhole()) isOpen = await readOn()
      await reader.cancel()
      return text
    },
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
