/** An unchanged answer of the server. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Returns the events of a stream, each with its blank line. */
export function framesOf({ body }: Pick<WholeAnswer, "body">): string[] {
  return body.toString().match(/[^]*?(?:\r?\n){2}/g) ?? []
}

/** Positions in a stream, in order. */
export const PLACES = [
  "before the first event",
  "after the first event",
  "in the reasoning",
  "behind the reasoning",
  "in a text",
  "behind a text",
  "in the arguments",
  "behind a call",
  "in the second call",
  "before the finish",
  "behind the finish",
  "behind the last event",
] as const

export type Place = (typeof PLACES)[number]

/** Returns the number of frames before the position; undefined if the answer does not have it. */
export function framesBefore(frames: readonly string[], place: Place): number | undefined {
  const first = (pattern: RegExp) => indexOf(frames.findIndex((frame) => pattern.test(frame)))
  const last = (pattern: RegExp, until = frames.length) =>
    indexOf(frames.slice(0, until).findLastIndex((frame) => pattern.test(frame)))
  const behind = (index: number | undefined) => (index === undefined ? undefined : index + 1)
  const speech = first(/(?:I look at |All of them |That was )/)
  const calls = last(/call_alph/) === undefined ? /call_beta/ : /call_alph/
  switch (place) {
    case "before the first event":
      return 0
    case "after the first event":
      return 1
    case "in the reasoning":
      return behind(first(/What is |They |Was "/))
    case "behind the reasoning":
      return behind(last(/to be done\?|are\."|it\?"|pawl-signature/, speech))
    case "in a text":
      return behind(speech)
    case "behind a text":
      return first(calls) ?? first(FINISH)
    case "in the arguments":
      return behind(first(/alpha-|beta-b/))
    case "behind a call":
      return first(/call_beta/) ?? undefined
    case "in the second call":
      return behind(first(/beta-b/))
    case "before the finish":
      return first(FINISH)
    case "behind the finish":
      return behind(first(FINISH))
    case "behind the last event":
      return frames.length
  }
}

const FINISH = /"finish_reason":"|event: response\.completed|event: message_delta|"finishReason":/

function indexOf(index: number): number | undefined {
  return index < 0 ? undefined : index
}
