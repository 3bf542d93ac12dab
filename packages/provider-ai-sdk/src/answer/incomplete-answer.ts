/** An answer that ended without a finish. */
export class IncompleteAnswerError extends Error {
  override readonly name = "IncompleteAnswerError"
  constructor() {
    super("the answer ended without a finish")
  }
}
