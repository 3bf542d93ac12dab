/** A request and the input tokens that its provider counted. */
export interface CountedRequest {
  /** Of text, in UTF-8. */
  readonly bytes: number
  readonly tokens: number
}

export interface ReportedUsage {
  /** Of the request's text, in UTF-8. */
  readonly bytes: number
  /** Estimated tokens of its images, documents and recordings. */
  readonly media: number
  /** Input tokens as the provider reports them, those of its cache included. */
  readonly reported: number
  /** The request that the model's last judgement named; undefined for the first one. */
  readonly basis: CountedRequest | undefined
  /** Whether a compaction, or another model's answer, lies between the basis and this request. */
  readonly isCut: boolean
  /** Tokens that one answer may take: a server that reads its hidden reasoning again adds no more than this. */
  readonly maxOutput: number
}

export type ReportProblem =
  /** The provider reported no input. */
  | "missing"
  | "too-few"
  | "too-many"
  /** The conversation grows and the report does not: the server cuts the request without a word. */
  | "not-growing"

export type Reason =
  /** The tokens are what a tokenizer may make of the text. */
  | "size"
  /** The same, but fewer than for a shorter request: the server has dropped what it read before, or leaves its cache out. */
  | "drop"
  /**
   * The tokens are more than the text can have, but no report since the last plausible one grew by more than the text
   * and one answer: the server adds something real, such as hidden reasoning.
   */
  | "growth"

/** `basis`: what the next report is judged against, and what an estimate adds to if that one is ignored. */
export type Judgement =
  | { readonly type: "believed"; readonly by: Reason; readonly basis: CountedRequest }
  | { readonly type: "ignored"; readonly problem: ReportProblem; readonly basis: CountedRequest | undefined }

/** No tokenizer makes more tokens than bytes, nor fewer than one for twelve bytes. */
export const LEAST_BYTES_PER_TOKEN = 1
export const MOST_BYTES_PER_TOKEN = 12

/** Providers may count media as so many times the estimate, or not at all. */
const MOST_MEDIA_FACTOR = 4

/** A report which stays at this share of the basis or above, while the request grows by `GROWN`, does not follow it. */
const SAME_SHARE = 0.75
const GROWN = 1.1

/** Requests with less text, in bytes: what a provider adds by itself counts for much in them, and no error does harm. */
const SHORT_REQUEST = 4096

/** Decides whether the input tokens that a provider reports can be true of what was sent. */
export function judgeReport(usage: ReportedUsage): Judgement {
  const { bytes, media, reported, basis, isCut } = usage
  const counted = { bytes, tokens: reported }
  const ignored = (problem: ReportProblem): Judgement => {
    return { type: "ignored", problem, basis: isCut ? undefined : basis }
  }
  if (!(reported > 0)) return ignored("missing")
  if (reported < bytes / MOST_BYTES_PER_TOKEN) return ignored("too-few")
  if (!(reported <= mostTokens(bytes, media))) {
    return isHidden(usage) ? { type: "believed", by: "growth", basis: counted } : ignored("too-many")
  }
  const isLonger = basis !== undefined && !isCut && bytes > basis.bytes
  if (!isLonger || reported >= basis.tokens + (bytes - basis.bytes) / MOST_BYTES_PER_TOKEN) {
    return { type: "believed", by: "size", basis: counted }
  }
  if (reported < basis.tokens * SAME_SHARE) return { type: "believed", by: "drop", basis: counted }
  return bytes >= basis.bytes * GROWN ? ignored("not-growing") : { type: "believed", by: "drop", basis }
}

/** Whether the tokens beyond the text are known from earlier reports, or have come since the last with one answer. */
function isHidden({ bytes, media, reported, basis, isCut, maxOutput }: ReportedUsage): boolean {
  if (!basis) return false
  // What was added to a longer request may still be there.
  if (bytes < basis.bytes) return basis.tokens > mostTokens(basis.bytes, media) && reported <= basis.tokens
  if (isCut || reported < basis.tokens) return false
  return reported - basis.tokens <= mostTokens(bytes - basis.bytes, media) + maxOutput
}

function mostTokens(bytes: number, media: number): number {
  return bytes / LEAST_BYTES_PER_TOKEN + media * MOST_MEDIA_FACTOR
}

/** Whether a problem with a request of this size is worth a notice, and a bill by estimate. */
export function isConsiderable(bytes: number): boolean {
  return bytes >= SHORT_REQUEST
}
