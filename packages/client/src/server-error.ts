/** An answer of the server that is not a success. */
export class ServerError extends Error {
  /** Status of the answer, such as 404. */
  readonly status: number
  /** The rest of the answer, such as `sessionID`. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(status: number, body: string) {
    const { name, data } = parsed(body)
    super(typeof data["message"] === "string" ? data["message"] : `The server answered with status ${status}.`)
    this.name = name
    this.status = status
    this.data = data
  }
}

function parsed(body: string): { readonly name: string; readonly data: Readonly<Record<string, unknown>> } {
  try {
    const { name, data } = JSON.parse(body) as { readonly name?: unknown; readonly data?: unknown }
    return {
      name: typeof name === "string" ? name : "ServerError",
      data: typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {},
    }
  } catch {
    return { name: "ServerError", data: {} }
  }
}
