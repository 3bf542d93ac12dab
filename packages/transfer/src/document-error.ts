/** The document is invalid, and nothing was written. `message` names the position and the next step. */
export class DocumentError extends Error {
  override readonly name = "DocumentError"
  /** Position as a JSON path: `$.sessions[0].messages[3].info.role`. */
  readonly path: string
  constructor(path: string, reason: string, nextStep: string) {
    super(`The document cannot be imported: at ${path}: ${reason} ${nextStep}`)
    this.path = path
  }
}

export const EXPORT_AGAIN = "Correct it there, or export the session again."

/** Formats `["sessions", 0, "session"]` as `$.sessions[0].session`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => {
    if (typeof step === "number") return `[${step}]`
    const name = String(step)
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  })
  return `$${steps.join("")}`
}
