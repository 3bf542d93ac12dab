// Answers chat requests with words at a fixed pace. Each word is the time in epoch milliseconds at which it was sent.
// Reports its URL, and ends with its parent.
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Milliseconds between the words of an answer: 80 words a second. */
const PACE_MS = 12.5

interface Answer {
  readonly response: ServerResponse
  readonly begun: number
  sent: number
  readonly words: number
}

const answers = new Set<Answer>()

const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => void (body += chunk.toString()))
  request.on("end", () => {
    const words = Number(/Stream (\d+) words/.exec(body)?.[1] ?? 1)
    response.writeHead(200, { "content-type": "text/event-stream" })
    answers.add({ response, begun: performance.now(), sent: 0, words })
  })
})

setInterval(() => {
  const now = performance.now()
  for (const answer of answers) {
    const due = Math.min(answer.words, Math.floor((now - answer.begun) / PACE_MS) + 1)
    let text = ""
    for (; answer.sent < due; answer.sent++) text += chunk({ content: `${Date.now()} ` })
    if (due === answer.words) {
      text += chunk({}, "stop")
      answers.delete(answer)
      answer.response.end(`${text}data: [DONE]\n\n`)
    } else if (text !== "") answer.response.write(text)
  }
}, 5)

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices })}\n\n`
}

server.listen(0, "127.0.0.1")
await once(server, "listening")
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
process.on("disconnect", () => process.exit())
