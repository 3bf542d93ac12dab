import type { Choice } from "@pawl/core/tool"
import type { ActiveCalls } from "./call-context.ts"
import { fieldQuestion, fieldValue, formFields, type FormValue } from "./form.ts"

/** A server's question to the user. `schema` is an object of strings, numbers, booleans and choices. */
export interface ElicitRequest {
  readonly server: string
  readonly message: string
  readonly schema: unknown
  readonly signal: AbortSignal
}

export type ElicitAnswer =
  | { readonly action: "accept"; readonly content: Record<string, FormValue> }
  | { readonly action: "decline" | "cancel" }

/** Asks the user outside of a call's session. */
export type Elicit = (request: ElicitRequest) => Promise<ElicitAnswer>

/**
 * Asks in the call's session and stops the call's timer meanwhile. Outside of a call, uses `elicit`. Declines if no
 * user can be asked.
 */
export async function answerElicitation(
  calls: ActiveCalls,
  elicit: Elicit | undefined,
  request: ElicitRequest,
): Promise<ElicitAnswer> {
  const call = calls.find()
  const ask = call?.context.ask
  if (!call || !ask) return elicit ? elicit(request) : { action: "decline" }
  const release = call.hold()
  try {
    return await askForm(ask, request)
  } catch {
    // No user answers in that session.
    return { action: "decline" }
  } finally {
    release()
  }
}

type Ask = (questions: readonly Choice[]) => Promise<readonly (readonly string[])[]>

async function askForm(ask: Ask, { server, message, schema }: ElicitRequest): Promise<ElicitAnswer> {
  const intro = `The MCP server "${server}" asks: ${message}`
  const fields = formFields(schema)
  if (fields.length === 0) return askConsent(ask, intro)
  let problem = ""
  // The user may correct an invalid answer once.
  for (let round = 0; round < 2; round++) {
    const answers = await ask(fields.map((field) => fieldQuestion(`${problem}${intro}`, field)))
    try {
      const content: Record<string, FormValue> = {}
      for (const [at, field] of fields.entries()) {
        const value = fieldValue(field, answers[at] ?? [])
        if (value !== undefined) content[field.name] = value
      }
      return { action: "accept", content }
    } catch (error) {
      problem = `${(error as Error).message}\n`
    }
  }
  return { action: "cancel" }
}

async function askConsent(ask: Ask, question: string): Promise<ElicitAnswer> {
  const options = [
    { label: "Accept", description: "" },
    { label: "Decline", description: "" },
  ]
  const [[chosen] = []] = await ask([{ header: "MCP", question, options, custom: false }])
  return chosen === "Accept" ? { action: "accept", content: {} } : { action: "decline" }
}
