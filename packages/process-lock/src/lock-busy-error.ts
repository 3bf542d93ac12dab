/** The lock was held by another owner for the complete time of waiting. */
export class LockBusyError extends Error {
  override readonly name = "LockBusyError"
  readonly path: string

  constructor(path: string, pid: number | undefined) {
    const who = pid === undefined ? "another process" : `process ${pid}`
    super(`${path} is held by ${who}. Try again when it has ended.`)
    this.path = path
  }
}
