/** Bounds of terminals. Tests use smaller ones. */
export interface TerminalLimits {
  /** Terminals of a server at one time, in all directories. */
  readonly terminals: number
  /** UTF-16 units of output that are kept for each terminal. The oldest are dropped. */
  readonly output: number
  /** Bytes of input that a terminal's program has not read. */
  readonly input: number
  /** Bytes of a message from a client. */
  readonly message: number
  /** Clients that are connected to a terminal at one time. */
  readonly clients: number
  /** A client that takes nothing of waiting output for this time is cut. */
  readonly stallMs: number
  /** Time in which a connect token can be used. */
  readonly ticketMs: number
}

export const terminalLimits: TerminalLimits = {
  terminals: 32,
  output: 2 * 1024 * 1024,
  input: 256 * 1024,
  message: 64 * 1024,
  clients: 32,
  stallMs: 5000,
  ticketMs: 60_000,
}

/** Rows and columns of a terminal. */
export const MAX_SIZE = 1000
