import { randomBytes } from "node:crypto"

/** A connect token in OpenCode's form. */
export interface Ticket {
  readonly ticket: string
  /** Seconds. */
  readonly expires_in: number
}

/** Connect tokens: each lets one client connect once to one terminal, without another credential. */
export interface Tickets {
  issue(terminalID: string): Ticket
  /** Returns whether the ticket is for the terminal and can be used. It is used up in any case. */
  consume(ticket: string, terminalID: string): boolean
}

/** Tickets that wait at one time. The oldest are dropped. */
const MAX_TICKETS = 1000

export function createTickets(lifeMs: number): Tickets {
  const waiting = new Map<string, { readonly terminalID: string; readonly until: number }>()
  return {
    issue(terminalID) {
      const ticket = randomBytes(32).toString("base64url")
      waiting.set(ticket, { terminalID, until: performance.now() + lifeMs })
      for (const oldest of waiting.keys()) {
        if (waiting.size <= MAX_TICKETS) break
        waiting.delete(oldest)
      }
      return { ticket, expires_in: Math.max(1, Math.round(lifeMs / 1000)) }
    },
    consume(ticket, terminalID) {
      const found = waiting.get(ticket)
      waiting.delete(ticket)
      return found !== undefined && found.terminalID === terminalID && performance.now() < found.until
    },
  }
}
