/** A plugin that is left out, and why. */
export interface PluginLoadProblem {
  /** As it is written in the configuration; for a file that was found, its path. */
  readonly spec: string
  readonly stage: "install" | "resolve" | "import" | "adapt"
  /** Absolute: the file that is wrong, where it is one. */
  readonly file?: string
  /** From 1, where it is known. */
  readonly line?: number
  /** Sentences for people: what is wrong and what to do. */
  readonly message: string
  /** That the version before goes on in its place. */
  readonly kept?: boolean
}

/** What stops a plugin before its code is run. */
export class PluginError extends Error {
  override readonly name = "PluginError"
  readonly stage: "install" | "resolve"
  readonly file: string | undefined

  constructor(stage: "install" | "resolve", message: string, options: { file?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.stage = stage
    this.file = options.file
  }
}
