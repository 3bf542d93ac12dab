// The process of the scripted model. Sends its URL to its parent, and on "take" everything since the last one.
import { chatRequest, modelServer, type RecordedRequest } from "@pawl/model-server"
import { replyTo } from "./reply-to.ts"

/** Times are epoch milliseconds with fractions. */
export interface Exchange {
  /** Arrival of the request's last byte. */
  readonly arrived: number
  /** Sending of the answer's last byte; missing if the next request came first. */
  readonly ended?: number
  /** Size of the request's body. */
  readonly bytes: number
}

export interface Recording {
  readonly exchanges: readonly Exchange[]
  /** Body of the first exchange. */
  readonly firstBody: string
}

let exchanges: { arrived: number; ended?: number; bytes: number }[] = []
let firstBody = ""

const server = await modelServer({
  replies: (request) => replyTo(chatRequest(request)),
  record: false,
  onRequest({ receivedAt, raw }: RecordedRequest) {
    const exchange: (typeof exchanges)[number] = { arrived: performance.timeOrigin + receivedAt, bytes: raw.length }
    if (exchanges.push(exchange) === 1) firstBody = raw.toString()
    void noteEnd(exchange)
  },
})

async function noteEnd(exchange: (typeof exchanges)[number]): Promise<void> {
  await server.idle()
  if (exchanges.at(-1) === exchange) exchange.ended = performance.timeOrigin + performance.now()
}

async function hand(): Promise<void> {
  await server.idle()
  process.send?.({ exchanges, firstBody } satisfies Recording)
  exchanges = []
  firstBody = ""
}

process.on("message", () => void hand())
process.on("disconnect", () => void server.close())
process.send?.(server.url)
