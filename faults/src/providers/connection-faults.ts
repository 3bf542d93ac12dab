import { gzipSync } from "node:zlib"
import type { Expected, Fault } from "./fault.ts"
import type { Spoil } from "./faulty-front.ts"
import { chunk, head, LAST_CHUNK } from "./http-bytes.ts"
import { type Act, end, reset, send } from "./play.ts"
import { framesBefore, framesOf, type WholeAnswer } from "./whole-answer.ts"

const row = (name: string, spoil: Spoil, expected: Expected = "answered", more: Partial<Fault> = {}): Fault => ({
  ...{ name, expected: () => expected, spoil: () => spoil },
  ...more,
})

const encoded = (answer: WholeAnswer) => ({ ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } })

/** Sends the body. With `isClosed` it is complete, otherwise the connection stays open. */
function withBody(answer: WholeAnswer, body: string | Buffer, isClosed = true): Act[] {
  return [send(head(answer, "chunked")), send(chunk(body)), ...(isClosed ? [send(LAST_CHUNK)] : []), end]
}

const bytesOf = (size: number) => `data: {"padding":"${"x".repeat(size)}"}\n\n`

/** Faults of a connection or of a whole answer. `huge` is the size of the longest event in bytes. */
export function connectionFaults(huge: number): readonly Fault[] {
  return [
    row("connection refused", () => [], "answered", { isDeaf: true, isUncounted: true }),
    row("reset before the head", () => [reset]),
    row("closed before the head", () => [end]),
    row("half a head", (answer) => [send(head(answer, "chunked").slice(0, 40)), end]),
    row("no HTTP at all", () => [send("SSH-2.0-OpenSSH_9.6\r\n"), end]),
    row("silence before the head", () => [], "answered", { isSilent: true }),
    row("half a head, then silence", (answer) => [send(head(answer, "chunked").slice(0, 40))], "answered", {
      isSilent: true,
    }),
    row("200 with nothing in it", (answer) => withBody(answer, "")),
    row("200 with [DONE] alone", (answer) => withBody(answer, "data: [DONE]\n\n")),
    row("204", (answer) => [send(head({ ...answer, status: 204 }, { length: 0 })), end]),
    row(
      "a proxy's page with status 200",
      (answer) => withBody({ ...answer, headers: { "content-type": "text/html" } }, "<html>Sign in</html>"),
      ["invalid-request"],
    ),
    row("gzip", (answer) => withBody(encoded(answer), gzipSync(answer.body))),
    row("invalid gzip", (answer) => withBody(encoded(answer), answer.body)),
    row("gzip cut off", (answer) => withBody(encoded(answer), gzipSync(answer.body).subarray(0, 90))),
    row("an invalid chunk", (answer) => [send(head(answer, "chunked")), send("zz\r\nno chunk\r\n"), end]),
    row(
      "redirect to another server",
      (answer) => [
        send(head({ ...answer, status: 307, headers: { location: "http://127.0.0.1:9/v1" } }, { length: 0 })),
        end,
      ],
      ["invalid-request"],
    ),
    row(
      "redirect to the same place",
      (answer) => [send(head({ ...answer, status: 308, headers: { location: "" } }, { length: 0 })), end],
      "answered",
      { isUncounted: true },
    ),
    row("a few bytes at a time", (answer) => [
      send(head(answer, "chunked")),
      ...pieces(answer.body, 11).map((piece) => send(chunk(piece))),
      send(LAST_CHUNK),
      end,
    ]),
    row("the finish twice", (answer) => withBody(answer, withFinishTwice(answer))),
    row("an event of an unknown kind", (answer) =>
      withBody(answer, framesOf(answer).join('event: acme.news\ndata: {"type":"acme.news","news":1}\n\n')),
    ),
    row("a very long event of an unknown kind", (answer) =>
      withBody(
        answer,
        framesOf(answer)
          .with(0, `${framesOf(answer)[0] ?? ""}${bytesOf(huge)}`)
          .join(""),
      ),
    ),
    row("a very long line without end", (answer) => withBody(answer, `data: "${"x".repeat(huge)}`)),
  ]
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

function withFinishTwice(answer: WholeAnswer): string {
  const frames = framesOf(answer)
  return [...frames, ...frames.slice(framesBefore(frames, "before the finish"))].join("")
}
