/** A body of which the beginning has been read. Read on with one of `whole` and `document`. */
export interface BodyHead {
  /** As far as it came with the first words, without blanks before them; empty when there are none. */
  readonly text: string
  /** The body from its first byte on. */
  whole(): ReadableStream<Uint8Array<ArrayBuffer>>
  /** The text of the body up to its end, 64 KiB, or the end of its first JSON value. The rest is thrown away. */
  document(): Promise<string>
}

/** In bytes. */
export const LONGEST_DOCUMENT = 64 * 1024

/** A server that says what it has in so many pieces is read to the end. */
const MOST_PARSED = 64

/** Reads a body until it says something, or ends, or has 64 KiB of blanks. */
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
  while (isOpen && text === "" && bytes < LONGEST_DOCUMENT) isOpen = await readOn()
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
      const isWhole = () => parsed++ < MOST_PARSED && isJson(text)
      while (isOpen && text.length < LONGEST_DOCUMENT && !isWhole()) isOpen = await readOn()
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
