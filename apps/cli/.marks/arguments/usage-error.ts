/** The command line asks for something that cannot be done as written. `hint`: what to type next. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
