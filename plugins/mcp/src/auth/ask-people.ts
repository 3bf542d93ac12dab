import { AuthError } from "./auth-error.ts"
import type { CallbackAnswer } from "./callback-listener.ts"
import { createQuestion, type Flow } from "./flow.ts"
import type { ClientInformation, StoredTokens } from "./stored-authorization.ts"
import { takeAnswer } from "./take-answer.ts"

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Milliseconds for people to answer; 5 minutes unless told. */
  readonly patience?: number
  /** Shows people the address to open. */
  readonly show?: (address: string) => void
  /** Opens the address in a browser. It rejects where it cannot. */
  readonly openBrowser?: (address: string, signal: AbortSignal) => Promise<void> | void
}

const PATIENCE = 5 * 60_000

/** Sends people to the authorization server and takes their answer. Rejects with AuthError, or with the signal's reason. */
export async function askPeople(
  flow: Flow,
  client: ClientInformation,
  options: AskOptions,
): Promise<StoredTokens | "client unknown"> {
  const question = await createQuestion(flow, client)
  flow.remember(question.codeVerifier, "mcp.code")
  const answer = await answerOf(flow, question.address.href, question.state, options)
  try {
    const tokens = await takeAnswer(flow, client, question.codeVerifier, answer.parameters)
    await answer.show(true, `pawl may use the MCP server "${flow.name}" now. You can close this page.`)
    return tokens
  } catch (error) {
    const isOurs = error instanceof AuthError
    await answer.show(false, isOurs ? error.message : "pawl has been ended.")
    if (isOurs && error.kind === "client") return "client unknown"
    throw error
  }
}

async function answerOf(
  { name, listener }: Flow,
  address: string,
  state: string,
  { signal, patience = PATIENCE, show, openBrowser }: AskOptions,
): Promise<CallbackAnswer> {
  const unasked = new AbortController()
  const late = AbortSignal.timeout(patience)
  const ended = AbortSignal.any([late, unasked.signal, ...(signal ? [signal] : [])])
  const answering = listener.answer(state, ended)
  show?.(address)
  // It may take as long as the browser is open.
  const opening = (async () => openBrowser?.(address, ended))()
  opening.catch(() => {
    const text = `No browser could be opened to authorize the MCP server "${name}". Run in a terminal: pawl mcp auth ${name}`
    if (!show) unasked.abort(new AuthError("no-browser", name, text))
  })
  try {
    return await answering
  } catch (error) {
    if (!late.aborted || signal?.aborted) throw error
    const text = `Nobody answered for the MCP server "${name}" within ${Math.round(patience / 1000)} s. Run again: pawl mcp auth ${name}`
    throw new AuthError("late", name, text)
  }
}
