import { reply, streamError } from "@pawl/model-server"
import { chunk, type Framing, head, LAST_CHUNK } from "./http-bytes.ts"
import { type Act, end, reset, send } from "./play.ts"
import { framesBefore, framesOf, type Place, type WholeAnswer } from "./whole-answer.ts"
import type { Expected, Fault } from "./fault.ts"
import type { WireName } from "./wires.ts"

/** A stream at the position where it breaks. */
interface Broken {
  readonly before: string
  /** The next event; empty at the end. */
  readonly next: string
  readonly rest: string
  /** Bytes of the whole stream. */
  readonly length: number
  /** Returns the vendor's error event. */
  readonly errorEvent: (kind: ErrorKind) => Promise<string>
  readonly wire: WireName
}

type ErrorKind = "overloaded" | "rate-limit" | "server"

interface StreamFault {
  readonly name: string
  readonly framing?: (broken: Broken) => Framing
  /** Replaces the rest of the stream. */
  readonly acts: (broken: Broken) => readonly Act[] | Promise<readonly Act[]>
  readonly isSilent?: boolean
  readonly wires?: readonly WireName[]
}

const EVERY = 15
const finished: readonly Act[] = [send(LAST_CHUNK), end]
const half = (text: string) => text.slice(0, Math.floor(text.length / 2))

function inStream(kind: ErrorKind): StreamFault {
  return {
    name: `error event: ${kind}`,
    acts: async ({ errorEvent }) => [send(chunk(await errorEvent(kind))), ...finished],
  }
}

const faults: readonly StreamFault[] = [
  { name: "reset", acts: () => [reset] },
  { name: "chunked body cut off", acts: () => [end] },
  { name: "whole body, too little in it", acts: () => finished },
  { name: "connection closed, no length told", framing: () => "open", acts: () => [end] },
  { name: "shorter than its length", framing: ({ length }) => ({ length: length + 1 }), acts: () => [end] },
  { name: "half an event, then the end", acts: ({ next }) => [send(chunk(half(next))), ...finished] },
  {
    name: "half an event, then others",
    acts: ({ next, rest }) => [send(chunk(`${half(next)}\n\n${rest}`)), ...finished],
  },
  {
    name: "an event of invalid JSON",
    acts: ({ next, rest }) => [send(chunk(`data: \u0000{]?\n\n${next}${rest}`)), ...finished],
  },
  {
    name: "bytes that are not text",
    acts: ({ next, rest }) => [send(chunk(Buffer.concat([notText(next), Buffer.from(rest)]))), ...finished],
  },
  inStream("overloaded"),
  inStream("rate-limit"),
  inStream("server"),
  { name: "silence", acts: () => [], isSilent: true },
  {
    name: "comments without end",
    acts: () => [{ type: "repeat", bytes: chunk(": keep-alive\n\n").toString(), every: EVERY }],
    isSilent: true,
  },
  {
    name: "pings without end",
    acts: () => [{ type: "repeat", bytes: chunk('event: ping\ndata: {"type":"ping"}\n\n').toString(), every: EVERY }],
    isSilent: true,
    wires: ["anthropic"],
  },
]

/** All ways in which a stream can break at this position. */
export function streamFaults(place: Place): Fault[] {
  return faults.map(({ name, framing = () => "chunked", acts, isSilent = false, wires }) => ({
    name: `${name}, ${place}`,
    isSilent,
    expected: (): Expected => "answered",
    spoil: (wire) => {
      if (wires && !wires.includes(wire)) return undefined
      return async (answer, ask) => {
        const errorEvent = async (kind: ErrorKind) => errorOf(await ask(reply(streamError("Not now.", { kind }))))
        const broken = breakAt(answer, place)
        if (!broken) return [send(head(answer, "chunked")), send(chunk(answer.body)), ...finished]
        const here = { ...broken, errorEvent, wire }
        const form = framing(here)
        const before = form === "chunked" ? chunk(broken.before) : broken.before
        return [send(head(answer, form)), ...(before.length > 0 ? [send(before)] : []), ...(await acts(here))]
      }
    },
  }))
}

/** Returns undefined if the answer does not have this position. */
function breakAt(answer: WholeAnswer, place: Place): Omit<Broken, "errorEvent" | "wire"> | undefined {
  const frames = framesOf(answer)
  const at = framesBefore(frames, place)
  if (at === undefined) return undefined
  const [next = "", ...rest] = frames.slice(at)
  return { before: frames.slice(0, at).join(""), next, rest: rest.join(""), length: answer.body.length }
}

/** Inserts invalid UTF-8 in the middle of the frame, which is mostly in the model's text. */
function notText(frame: string): Buffer {
  const bytes = Buffer.from(frame)
  const at = Math.floor(bytes.length / 2)
  return Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff, 0xc3, 0x28), bytes.subarray(at)])
}

function errorOf(answer: WholeAnswer): string {
  return framesOf(answer)
    .filter((frame) => /"error":\s*\{|event: (?:error|response\.failed)/.test(frame))
    .join("")
}
