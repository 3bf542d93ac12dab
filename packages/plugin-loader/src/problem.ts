/** Why a plugin was left out. */
export interface PluginLoadProblem {
  /** The spec as written in the configuration, or the path of a discovered file. */
  readonly spec: string
  readonly stage: "install" | "resolve" | "import" | "adapt"
  /** Absolute path of the wrong file, if any. */
  readonly file?: string
  /** From 1; missing if unknown. */
  readonly line?: number
  /** For the user: the problem and the next step. */
  readonly message: string
  /** Set if the previous version stays loaded. */
  readonly kept?: boolean
}

/** A problem before a plugin's code runs. */
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
