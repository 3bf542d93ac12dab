/** A request and the input tokens that its provider counted. */
export interface CountedRequest {
  /** Bytes of text in UTF-8. */
  readonly bytes: number
  readonly tokens: number
}

export interface ReportedUsage {
  /** Bytes of the request's text in UTF-8. */
  readonly bytes: number
  /** Estimated tokens of its images, documents and recordings. */
  readonly media: number
  /** Input tokens as the provider reports them, including cached ones. */
  readonly reported: number
  /** The basis of the model's last judgement; undefined for the first report. */
  readonly basis: CountedRequest | undefined
  /** True if a compaction, or another model's answer, lies between the basis and this request. */
  readonly isCut: boolean
  /** Maximum tokens of an answer: a server that reads its hidden reasoning again adds no more than this. */
  readonly maxOutput: number
}

export type ReportProblem =
  /** The provider reported no input. */
  | "missing"
  | "too-few"
  | "too-many"
  /** The conversation grows and the report does not: the server cuts the request silently. */
  | "not-growing"

export type Reason =
  /** A tokenizer can produce this number from the text. */
  | "size"
  /**
   * A tokenizer can produce this number, but it is lower than for a shorter request: the server has dropped earlier
   * input, or leaves out cached tokens.
   */
  | "drop"
  /**
   * The number is higher than the text allows, but since the last plausible report, no report grew by more than the
   * text and one answer: the server adds something real, such as hidden reasoning.
   */
  | "growth"

/**
 * A judgement of a report. `basis`: the request that the next report is compared with. If that report is ignored, the
 * estimate adds to the basis.
 */
export type Judgement =
  | { readonly type: "believed"; readonly by: Reason; readonly basis: CountedRequest }
  | { readonly type: "ignored"; readonly problem: ReportProblem; readonly basis: CountedRequest | undefined }

/** Limits of all tokenizers: at most one token per byte, at least one per twelve bytes. */
export const MIN_BYTES_PER_TOKEN = 1
export const MAX_BYTES_PER_TOKEN = 12

/** Maximum factor of a provider's count of media to the estimate. A provider may also not count media. */
const MAX_MEDIA_FACTOR = 4

/** A report at this share of the basis or above does not follow a request that grows by `GROWTH_FACTOR`. */
const SAME_SHARE = 0.75
const GROWTH_FACTOR = 1.1

/** Bytes of text. In shorter requests, the provider's own additions count for much, and errors do no harm. */
const MIN_REQUEST_BYTES = 4096

/** Decides whether the reported input tokens can be true for the request. */
export function judgeReport(usage: ReportedUsage): Judgement {
  const { bytes, media, reported, basis, isCut } = usage
  const counted = { bytes, tokens: reported }
  const ignored = (problem: ReportProblem): Judgement => {
    return { type: "ignored", problem, basis: isCut ? undefined : basis }
  }
  if (!(reported > 0)) return ignored("missing")
  if (reported < bytes / MAX_BYTES_PER_TOKEN) return ignored("too-few")
  if (!(reported <= maxTokensOf(bytes, media))) {
    return isHidden(usage) ? { type: "believed", by: "growth", basis: counted } : ignored("too-many")
  }
  const isLonger = basis !== undefined && !isCut && bytes > basis.bytes
  if (!isLonger || reported >= basis.tokens + (bytes - basis.bytes) / MAX_BYTES_PER_TOKEN) {
    return { type: "believed", by: "size", basis: counted }
  }
  if (reported < basis.tokens * SAME_SHARE) return { type: "believed", by: "drop", basis: counted }
  return bytes >= basis.bytes * GROWTH_FACTOR ? ignored("not-growing") : { type: "believed", by: "drop", basis }
}

/**
 * Returns whether the tokens beyond the text are known from earlier reports, or were added by one answer since the
 * last.
 */
function isHidden({ bytes, media, reported, basis, isCut, maxOutput }: ReportedUsage): boolean {
  if (!basis) return false
  // Additions to a longer request may still be there.
  if (bytes < basis.bytes) return basis.tokens > maxTokensOf(basis.bytes, media) && reported <= basis.tokens
  if (isCut || reported < basis.tokens) return false
  return reported - basis.tokens <= maxTokensOf(bytes - basis.bytes, media) + maxOutput
}

function maxTokensOf(bytes: number, media: number): number {
  return bytes / MIN_BYTES_PER_TOKEN + media * MAX_MEDIA_FACTOR
}

/** Returns whether a problem with a request of this size is worth a notice, and a bill by estimate. */
export function isConsiderable(bytes: number): boolean {
  return bytes >= MIN_REQUEST_BYTES
}
