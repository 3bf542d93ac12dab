import { type ModelInfo, ProviderError } from "@pawl/core"
import { classify, classifyResponse, serverName } from "@pawl/provider-ai-sdk"
import type { Connection } from "@pawl/provider-http"
import { toModelInfo } from "./efforts.ts"
import { authorized } from "./authorized.ts"

/** In milliseconds. A list is asked for while somebody waits. */
const patience = 2000

/** Asks a server for its models, in its order. Throws ProviderError. `timeout`: in milliseconds. */
export async function listModels(connection: Connection, timeout = patience): Promise<readonly ModelInfo[]> {
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
  const body = await response.text()
  if (response.ok) return body
  const error = { url: url.href, status: response.status, headers: Object.fromEntries(response.headers), body }
  throw classifyResponse(error, connection.source)
}

/** Servers tell the size of the window under names of their own. */
interface ListedModel {
  readonly id: string
  readonly name?: unknown
  readonly context_length?: unknown
  readonly context_window?: unknown
  readonly max_model_len?: unknown
}

/** `undefined` when it is no list. */
function readList(body: string): readonly ListedModel[] | undefined {
  const list = parse(body)
  const entries = typeof list === "object" && list !== null && "data" in list ? list.data : list
  return Array.isArray(entries) ? entries.filter(isListed) : undefined
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function isListed(entry: unknown): entry is ListedModel {
  return typeof entry === "object" && entry !== null && "id" in entry && typeof entry.id === "string"
}

function toInfo({ id, name, context_length, context_window, max_model_len }: ListedModel): ModelInfo {
  const context = [context_length, context_window, max_model_len].find(isCount)
  return toModelInfo({
    id,
    name: typeof name === "string" ? name : undefined,
    limit: context === undefined ? undefined : { context },
  })
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0
}
