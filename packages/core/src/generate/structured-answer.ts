import { ProviderError } from "../base/errors.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { ResponseFormat } from "../contracts/model.ts"
import type { Generated, GenerateRequest } from "../contracts/tool.ts"

/** Thrown if the answer does not fit its schema, also after a second request. */
export class StructuredOutputError extends Error {
  override readonly name = "StructuredOutputError"
  /** The last answer. */
  readonly text: string
  constructor(problem: string, text: string) {
    super(`The model gave no JSON that fits the schema: ${problem}`)
    this.text = text
  }
}

/** Asks the model for an answer. `format`: makes the provider enforce the form. */
export type Answer = (request: GenerateRequest, format?: ResponseFormat) => Promise<Generated>

/**
 * Asks for an answer that fits a JSON schema. The provider enforces the schema if it can. If it cannot, or refuses the
 * schema, the system prompt contains the schema. If the answer does not fit, asks once more and names the problem.
 */
export async function structuredAnswer(
  answer: Answer,
  { schema, ...request }: GenerateRequest & { readonly schema: JSONObject },
  hasOwnMeans: boolean,
): Promise<Generated> {
  const check = await checkerOf(schema)
  const instructed: GenerateRequest = {
    ...request,
    system: [request.system, instruction(schema)].filter(Boolean).join("\n\n"),
  }
  let isOwn = hasOwnMeans
  const ask = (messages: GenerateRequest["messages"]) => {
    return isOwn ? answer({ ...request, messages }, { schema }) : answer({ ...instructed, messages })
  }
  const first = await ask(request.messages).catch((error: unknown) => {
    if (!isOwn || !(error instanceof ProviderError) || error.kind !== "invalid-request") throw error
    isOwn = false
    return ask(request.messages)
  })
  const read = check(first)
  if ("json" in read) return { ...first, json: read.json }
  const repairing = [...messagesOf("assistant", first.text), ...messagesOf("user", repair(read.problem))]
  const second = await ask([...request.messages, ...repairing])
  const again = check(second)
  if ("json" in again) return { ...second, json: again.json }
  throw new StructuredOutputError(again.problem, second.text)
}

function messagesOf(role: "user" | "assistant", text: string): GenerateRequest["messages"] {
  // Providers refuse empty texts.
  return text.trim() === "" ? [] : [{ role, content: [{ type: "text", text }] }]
}

function instruction(schema: JSONObject): string {
  return `Answer with JSON alone, without any words around it. It fits this JSON schema:\n${JSON.stringify(schema)}`
}

function repair(problem: string): string {
  return `That does not fit the schema: ${problem} Give the whole JSON again, corrected, and nothing else.`
}

type Read = { readonly json: JSONValue } | { readonly problem: string }

async function checkerOf(schema: JSONObject): Promise<(answer: Pick<Generated, "text" | "finish">) => Read> {
  const form = await formOf(schema)
  return ({ text, finish }) => {
    const json = parsed(text)
    if (json === undefined) {
      return { problem: finish === "length" ? "It was cut off at its length limit." : "It is not valid JSON." }
    }
    if (isDeeper(json, MAX_DEPTH)) return { problem: `It has more than ${MAX_DEPTH} levels.` }
    const result = resultOf(form, json)
    if (!result || result.success) return { json }
    const [issue] = result.error.issues
    return { problem: `${issue?.path.join(".") || "The value"}: ${issue?.message ?? "it is another one"}.` }
  }
}

/** Maximum levels of nesting. Deeper values exhaust the stack of code that reads or stores them. */
const MAX_DEPTH = 200

function isDeeper(value: JSONValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each as JSONValue, levels - 1))
}

type Form = Exclude<Awaited<ReturnType<typeof formOf>>, undefined>

/** Returns undefined for a schema with an infinite recursion. */
function resultOf(form: Form | undefined, json: JSONValue): ReturnType<Form["safeParse"]> | undefined {
  try {
    return form?.safeParse(json)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns undefined for a schema with unknown keywords. Then any JSON is accepted. */
async function formOf(schema: JSONObject) {
  // Few requests have a schema, so zod loads on demand.
  const { z } = await import("zod")
  try {
    return z.fromJSONSchema(schema)
  } catch {
    return undefined
  }
}

/** Parses JSON, also inside of a Markdown code fence. */
function parsed(text: string): JSONValue | undefined {
  const [, fenced] = /^```(?:json)?([^]*)```$/i.exec(text.trim()) ?? []
  try {
    return JSON.parse(fenced ?? text) as JSONValue
  } catch {
    return undefined
  }
}
