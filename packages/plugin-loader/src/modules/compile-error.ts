/** The text of a module is invalid. */
export class CompileError extends Error {
  override readonly name = "CompileError"
  readonly url: string
  /** From 1. */
  readonly line: number

  constructor(url: string, line: number, message: string) {
    super(message)
    this.url = url
    this.line = line
  }
}
