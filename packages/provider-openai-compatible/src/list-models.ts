import { type ModelInfo, ProviderError } from "@pawl/core/provider"
import { classify, classifyResponse, serverName } from "@pawl/provider-ai-sdk"
import { type Connection, textBeginning } from "@pawl/provider-http"
import { toModelInfo } from "./efforts.ts"
import { authorized } from "./authorized.ts"

/** Short, since a user may be waiting for the list. */
const LIST_TIMEOUT_MS = 2000

/** The largest gateways send less than one MiB. */
const MAX_LIST_BYTES = 16 * 1024 * 1024

/**
 * Requests the list of models, in the server's order, without duplicates and without ids that are not a single line of
 * text. Throws ProviderError. `timeout`: in milliseconds.
 */
export async function listModels(connection: Connection, timeout = LIST_TIMEOUT_MS): Promise<readonly ModelInfo[]> {
  const { source } = connection
  try {
    const list = readList(await get(connection, "/models", timeout))
    if (list !== undefined) return list.map(toInfo)
  } catch (error) {
    throw classify(error, source)
  }
  const message = `${serverName(source)} has no list of models. Name its models in the options of the provider.`
  throw new ProviderError("invalid-request", message, { providerID: source.providerID })
}

async function get(connection: Connection, path: string, timeout: number): Promise<string> {
  const url = new URL(connection.baseURL.replace(/\/+$/, "") + path)
  const response = await connection.fetch(url, {
    headers: authorized(connection),
    signal: AbortSignal.timeout(timeout),
  })
  const body = await textBeginning(response, MAX_LIST_BYTES)
  if (response.ok) return body
  const error = { url: url.href, status: response.status, headers: Object.fromEntries(response.headers), body }
  throw classifyResponse(error, connection.source)
}

/** Servers use different names for the size of the context window. */
interface ListedModel {
  readonly id: string
  readonly name?: unknown
  readonly context_length?: unknown
  readonly context_window?: unknown
  readonly max_model_len?: unknown
}

/** Undefined if the body is not a list. */
function readList(body: string): readonly ListedModel[] | undefined {
  const list = parse(body)
  const entries = typeof list === "object" && list !== null && "data" in list ? list.data : list
  if (!Array.isArray(entries)) return undefined
  const listed = new Map<string, ListedModel>()
  for (const entry of entries) if (isListed(entry) && !listed.has(entry.id)) listed.set(entry.id, entry)
  return [...listed.values()]
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function isListed(entry: unknown): entry is ListedModel {
  return typeof entry === "object" && entry !== null && "id" in entry && isName(entry.id)
}

/** Accepts a line of up to 200 visible characters. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^(?! )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}(?<! )$/u.test(value)
}

function toInfo({ id, name, context_length, context_window, max_model_len }: ListedModel): ModelInfo {
  const context = [context_length, context_window, max_model_len].find(isCount)
  return toModelInfo({
    id,
    name: isName(name) ? name : undefined,
    limit: context === undefined ? undefined : { context },
  })
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
