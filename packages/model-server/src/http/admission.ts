import { isObject } from "../json-object.ts"
import type { RecordedRequest } from "../recorded-request.ts"
import { httpError, unauthorized, type ErrorReply } from "../script/http-error.ts"
import type { WireFormat } from "../wire/wire-format.ts"

/** The requirements for a request to get a reply of the script. */
export interface AdmissionRules {
  /** Requests must carry this key. */
  readonly apiKey: string | undefined
  /** Requests must name one of these models. `undefined`: any model. */
  readonly models: readonly string[] | undefined
  /** True if requests are validated against the format. */
  readonly strict: boolean
}

/** Returns the error for a wrong or missing key; `undefined` if the key is accepted. */
export function refuseKey(format: WireFormat, request: RecordedRequest, rules: AdmissionRules): ErrorReply | undefined {
  if (rules.apiKey === undefined) return undefined
  const key = format.apiKey({ headers: request.headers, target: request.path })
  if (key === undefined) return unauthorized({ message: "This server needs an API key, and the request has none." })
  if (key === rules.apiKey) return undefined
  return unauthorized({ message: "The API key of this request is not the one of this server." })
}

/** Returns the error for an invalid body; `undefined` if the body is accepted. */
export function refuseBody(
  format: WireFormat,
  request: RecordedRequest,
  rules: AdmissionRules,
): ErrorReply | undefined {
  if (request.body === undefined) return httpError(400, { message: "The body is not valid JSON." })
  if (!isObject(request.body)) return httpError(400, { message: "The body must be a JSON object." })
  const wireRequest = { headers: request.headers, target: request.path, body: request.body }
  const { model } = format.readRequest(wireRequest)
  if (rules.models !== undefined && model !== undefined && !rules.models.includes(model)) {
    return httpError(404, {
      kind: "unknown-model",
      message: `The model "${model}" does not exist. This server has: ${rules.models.join(", ")}.`,
    })
  }
  const problem = rules.strict ? format.validate(wireRequest) : undefined
  return problem === undefined ? undefined : httpError(400, { message: problem })
}

/** Returns the error for a body above the limit, in bytes. */
export function refuseSize(limit: number): ErrorReply {
  return httpError(413, { message: `The body is larger than the limit of ${limit} bytes.` })
}
