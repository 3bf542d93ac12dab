import type { IncomingMessage } from "node:http"

interface Frame {
  readonly id: string
  readonly data: string
}

interface Silence {
  readonly silentMs: number
  /** Called when nothing came for that time, while the caller waited. */
  readonly fail: () => void
}

/** Parses server-sent events with an id and data. A frame that the end of the stream has cut is left out. */
export async function* readFrames(answer: IncomingMessage, silence: Silence): AsyncGenerator<Frame, void> {
  let text = ""
  for await (const chunk of watched(answer.setEncoding("utf8"), silence)) {
    const blocks = `${text}${chunk}`.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const frame = frameOf(block)
      if (frame) yield frame
    }
  }
}

/** The time that the caller takes for an event is not silence of the server. */
async function* watched(answer: IncomingMessage, { silentMs, fail }: Silence): AsyncGenerator<string, void> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<string, undefined>
  for (;;) {
    const timer = setTimeout(fail, silentMs)
    try {
      const { value, done } = await chunks.next()
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

function frameOf(block: string): Frame | undefined {
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice("id: ".length)
    else if (line.startsWith("data: ")) data.push(line.slice("data: ".length))
  }
  return id === undefined || data.length === 0 ? undefined : { id, data: data.join("\n") }
}
