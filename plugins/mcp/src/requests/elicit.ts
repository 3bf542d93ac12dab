import type { Choice } from "@pawl/core/tool"
import type { ActiveCalls } from "./call-context.ts"
import { fieldQuestion, fieldValue, formFields, type FormValue } from "./form.ts"

/** A server asks people something. `schema`: an object of texts, numbers, booleans and choices. */
export interface ElicitRequest {
  readonly server: string
  readonly message: string
  readonly schema: unknown
  readonly signal: AbortSignal
}

export type ElicitAnswer =
  | { readonly action: "accept"; readonly content: Record<string, FormValue> }
  | { readonly action: "decline" | "cancel" }

/** Asks people by other means than a call's session. */
export type Elicit = (request: ElicitRequest) => Promise<ElicitAnswer>

/**
 * In a call its session is asked, the call's clock stopped meanwhile; outside of one, `elicit`. Where there is nobody to
 * ask: declined.
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
    // Nobody answers in that session.
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
  // One chance to mend an answer that does not fit.
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
