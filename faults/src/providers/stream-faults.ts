import { reply, streamError } from "@pawl/model-server"
import { chunk, type Framing, head, LAST_CHUNK } from "./http-bytes.ts"
import { type Act, end, reset, send } from "./play.ts"
import { framesBefore, framesOf, type Place, type WholeAnswer } from "./whole-answer.ts"
import type { Expected, Fault } from "./fault.ts"
import type { WireName } from "./wires.ts"

/** A stream at the place where it breaks. */
interface Broken {
  readonly before: string
  /** The event that would come now; empty at the end. */
  readonly next: string
  readonly rest: string
  /** Bytes of the whole. */
  readonly length: number
  /** The event of the vendor's that says so. */
  readonly errorEvent: (kind: ErrorKind) => Promise<string>
  readonly wire: WireName
}

type ErrorKind = "overloaded" | "rate-limit" | "server"

interface StreamFault {
  readonly name: string
  readonly framing?: (broken: Broken) => Framing
  /** What comes in place of the rest. */
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
    name: "an event that is no JSON",
    acts: ({ next, rest }) => [send(chunk(`data: \u0000{]?\n\n${next}${rest}`)), ...finished],
  },
  {
    name: "bytes that are no text",
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

/** Every way in which a stream breaks off at the place. */
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

/** Undefined where the answer has no such place. */
function breakAt(answer: WholeAnswer, place: Place): Omit<Broken, "errorEvent" | "wire"> | undefined {
  const frames = framesOf(answer)
  const at = framesBefore(frames, place)
  if (at === undefined) return undefined
  const [next = "", ...rest] = frames.slice(at)
  return { before: frames.slice(0, at).join(""), next, rest: rest.join(""), length: answer.body.length }
}

/** In its middle, which is mostly in what the model says. */
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
