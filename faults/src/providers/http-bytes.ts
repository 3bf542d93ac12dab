import type { WholeAnswer } from "./whole-answer.ts"

/** Framing of a body. `open` ends with the connection, so the client cannot know if the body is complete. */
export type Framing = "chunked" | "open" | { readonly length: number }

/** Returns status line and headers, with this framing instead of the answer's own. */
export function head({ status, headers }: Pick<WholeAnswer, "status" | "headers">, framing: Framing): string {
  const kept = Object.entries(headers).filter(([name]) => !FRAMING.has(name))
  const own =
    framing === "chunked"
      ? [["transfer-encoding", "chunked"]]
      : framing === "open"
        ? []
        : [["content-length", String(framing.length)]]
  const lines = [...kept, ...own, ["connection", "close"]].map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} Scripted`, ...lines, "", ""].join("\r\n")
}

const FRAMING = new Set(["transfer-encoding", "content-length", "connection", "keep-alive"])

export function chunk(bytes: string | Buffer): Buffer {
  const body = Buffer.from(bytes)
  return body.length === 0 ? body : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, CRLF])
}

export const LAST_CHUNK = "0\r\n\r\n"
const CRLF = Buffer.from("\r\n")
