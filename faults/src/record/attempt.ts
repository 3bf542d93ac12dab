import type { Revision, SessionID, Write } from "@pawl/core/storage"

/** A request to a storage. */
export type Operation =
  | { readonly type: "commit"; readonly sessionID: SessionID; readonly writes: readonly Write[] }
  | { readonly type: "remove"; readonly sessionID: SessionID }
  | { readonly type: "blob"; readonly id: string }

/** `open`: no result is known. */
export type Outcome =
  | { readonly type: "open" }
  | { readonly type: "done"; readonly revision: Revision | undefined }
  | { readonly type: "failed"; readonly name: string; readonly message: string }

export interface Attempt {
  readonly number: number
  readonly operation: Operation
  readonly outcome: Outcome
}

/** A line of the file in which a child logs its requests and their acknowledgements. */
export type AttemptLine =
  | { readonly begin: number; readonly operation: Operation }
  | { readonly end: number; readonly outcome: Outcome }
  | { readonly problem: string }

/** Returns the attempts in the order of their start. Ignores an incomplete last line. */
export function readAttempts(text: string): { attempts: Attempt[]; problems: string[] } {
  const attempts = new Map<number, Attempt>()
  const problems: string[] = []
  for (const json of text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)) {
    const line = JSON.parse(json) as AttemptLine
    if ("problem" in line) problems.push(line.problem)
    else if ("begin" in line) {
      attempts.set(line.begin, { number: line.begin, operation: line.operation, outcome: { type: "open" } })
    } else {
      const attempt = attempts.get(line.end)
      if (attempt) attempts.set(line.end, { ...attempt, outcome: line.outcome })
    }
  }
  return { attempts: [...attempts.values()], problems }
}
