import { AuthError } from "./auth-error.ts"
import type { CallbackAnswer } from "./callback-listener.ts"
import { createQuestion, type Flow } from "./flow.ts"
import type { ClientInformation, StoredTokens } from "./stored-authorization.ts"
import { takeAnswer } from "./take-answer.ts"

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Milliseconds that the user has to answer. Default: 5 minutes. */
  readonly timeoutMs?: number
  /** Shows the address to open. */
  readonly show?: (address: string) => void
  /** Opens the address in a browser. Rejects if that fails. */
  readonly openBrowser?: (address: string, signal: AbortSignal) => Promise<void> | void
}

const ANSWER_TIMEOUT_MS = 5 * 60_000

/**
 * Sends the user to the authorization server and waits for the answer. Rejects with AuthError or the signal's reason.
 */
export async function askUser(
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
  { signal, timeoutMs = ANSWER_TIMEOUT_MS, show, openBrowser }: AskOptions,
): Promise<CallbackAnswer> {
  const unasked = new AbortController()
  const late = AbortSignal.timeout(timeoutMs)
  const ended = AbortSignal.any([late, unasked.signal, ...(signal ? [signal] : [])])
  const answering = listener.answer(state, ended)
  show?.(address)
  // Some openers return only when the browser is closed, so do not wait.
  const opening = (async () => openBrowser?.(address, ended))()
  opening.catch(() => {
    const text = `No browser could be opened to authorize the MCP server "${name}". Run in a terminal: pawl mcp auth ${name}`
    if (!show) unasked.abort(new AuthError("no-browser", name, text))
  })
  try {
    return await answering
  } catch (error) {
    if (!late.aborted || signal?.aborted) throw error
    const text = `No answer arrived for the MCP server "${name}" within ${Math.round(timeoutMs / 1000)} s. Run again: pawl mcp auth ${name}`
    throw new AuthError("late", name, text)
  }
}
