/** Limits of an output for the model. */
export interface OutputLimits {
  readonly lines: number
  /** Bytes in UTF-8. */
  readonly bytes: number
  /** Share of the usable window for all outputs of one answer's calls. Default: 0.5 */
  readonly answerShare?: number
}

export const defaultOutputLimits: OutputLimits = { lines: 2000, bytes: 50 * 1024 }

/** Shares of the usable window for one output, and for all outputs of one answer. */
const SHARE_OF_WINDOW = 0.25
const SHARE_OF_ANSWER = 0.5
/** Lower than in most texts, because outputs contain code and numbers. */
const BYTES_PER_TOKEN = 3
const MIN_BYTES = 2000

/** Limits of the outputs of one answer's calls for the model. */
export interface WindowLimits extends OutputLimits {
  /** Tokens that all outputs of one answer share. */
  readonly answerTokens: number
}

/**
 * Returns the limits, reduced for a small window, so that one output does not fill it. Infinite limits stay infinite.
 */
export function limitsWithin(usable: number, { lines, bytes, answerShare }: OutputLimits): WindowLimits {
  if (bytes === Infinity) return { lines, bytes, answerTokens: Infinity }
  const ofWindow = Math.max(MIN_BYTES, Math.floor(usable * SHARE_OF_WINDOW * BYTES_PER_TOKEN))
  return { lines, bytes: Math.min(bytes, ofWindow), answerTokens: usable * (answerShare ?? SHARE_OF_ANSWER) }
}

/**
 * Returns the size to which the larger items must be cut so that the sum fits the budget: smaller items stay whole, and
 * the larger ones share the rest evenly. Infinity if all fit.
 */
export function evenShare(sizes: readonly number[], budget: number): number {
  let left = Math.max(0, budget)
  const ascending = sizes.toSorted((a, b) => a - b)
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at))
    if (size > share) return share
    left -= size
  }
  return Infinity
}

export interface Truncated {
  /** Whole lines from the kept end; part of a line only if a single line is over the limit. */
  readonly text: string
  readonly droppedLines: number
}

/** Truncates a text to whole lines; undefined if it fits. */
export function truncate(text: string, keep: "head" | "tail", limits: OutputLimits): Truncated | undefined {
  if (fits(text, limits)) return undefined
  const kept = keep === "head" ? head(text, limits) : tail(text, limits)
  return { text: kept, droppedLines: countLines(text) - countLines(kept) }
}

/** Truncates a text by bytes only. Cuts within a line if whole lines would leave most of the limit unused. */
export function truncateBytes(text: string, keep: "head" | "tail", bytes: number): Truncated | undefined {
  const shown = truncate(text, keep, { lines: Infinity, bytes })
  if (!shown || Buffer.byteLength(shown.text) >= bytes / 2) return shown
  const kept = clipped(keep === "head" ? text.slice(0, bytes) : text.slice(-bytes), bytes, keep)
  return { text: kept, droppedLines: countLines(text) - countLines(kept) }
}

function fits(text: string, limits: OutputLimits): boolean {
  if (text.length > limits.bytes || Buffer.byteLength(text) > limits.bytes) return false
  return countLines(text) <= limits.lines
}

function head(text: string, limits: OutputLimits): string {
  let end = 0
  let bytes = 0
  for (let lines = 0; lines < limits.lines && end < text.length; lines++) {
    const next = text.indexOf("\n", end)
    const lineEnd = next < 0 ? text.length : next + 1
    bytes += Buffer.byteLength(text.slice(end, lineEnd))
    if (bytes > limits.bytes) break
    end = lineEnd
  }
  return end > 0 ? text.slice(0, end) : clipped(text.slice(0, limits.bytes), limits.bytes, "head")
}

function tail(text: string, limits: OutputLimits): string {
  let start = text.length
  let bytes = 0
  for (let lines = 0; lines < limits.lines && start > 0; lines++) {
    const lineStart = text.lastIndexOf("\n", start - 2) + 1
    bytes += Buffer.byteLength(text.slice(lineStart, start))
    if (bytes > limits.bytes) break
    start = lineStart
  }
  return start < text.length ? text.slice(start) : clipped(text.slice(-limits.bytes), limits.bytes, "tail")
}

/** Cuts a text to a number of bytes at a character boundary. */
function clipped(text: string, bytes: number, keep: "head" | "tail"): string {
  const raw = Buffer.from(text)
  if (raw.length <= bytes) return text
  // A byte of the form 10xxxxxx continues a character.
  const isInside = (at: number) => ((raw[at] ?? 0) & 0xc0) === 0x80
  let at = keep === "head" ? bytes : raw.length - bytes
  while (isInside(at)) at += keep === "head" ? -1 : 1
  return (keep === "head" ? raw.subarray(0, at) : raw.subarray(at)).toString()
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++
  return lines
}
