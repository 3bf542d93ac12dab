import type { Output } from "./output.ts"

export interface QuietOutput extends Output {
  /** Writes what was kept back. */
  release(): void
}

/**
 * Keeps back what is written until somebody is asked something there, or it is released: what led to a question, or to a
 * failure, is wanted after all. What is drawn over, such as a line of progress, is dropped.
 */
export function quietOutput(output: Output): QuietOutput {
  let kept: string[] | undefined = []
  function release(): void {
    for (const text of kept ?? []) output.write(text)
    kept = undefined
  }
  return {
    isQuiet: true,
    isTerminal: output.isTerminal,
    isDumb: output.isDumb === true,
    gone: output.gone,
    get columns() {
      return output.columns
    },
    /** A line editor asks for it. */
    get stream() {
      release()
      return output.stream
    },
    write(text) {
      if (!kept) output.write(text)
      else if (!text.startsWith("\r")) kept.push(text)
    },
    flushed: () => output.flushed(),
    release,
  }
}
