/** Thrown if the command line cannot be run as written. `hint` says what to type next. */
export class UsageError extends Error {
  override readonly name = "UsageError"
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
