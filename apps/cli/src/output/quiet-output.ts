import type { Output } from "./output.ts"

export interface QuietOutput extends Output {
  /** Writes what was kept back. */
  release(): void
}

/**
 * Holds output back until a question is asked or it is released, because the lines before a question or a failure are needed.
 * Overwritten output, such as a progress line, is dropped.
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
