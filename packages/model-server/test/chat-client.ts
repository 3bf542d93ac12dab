import type { ModelServer } from "../src/index.ts"

/** A request body that the server accepts. */
export function chatBody(changes: object = {}) {
  return { model: "scripted", stream: true, messages: [{ role: "user", content: "Hello" }], ...changes }
}

export function post(server: ModelServer, body: object | string = chatBody(), init: RequestInit = {}) {
  return fetch(`${server.url}/chat/completions`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  })
}

/** An answer or an error that is not streamed: what a test reads from it. */
export interface Answer {
  choices: { message: { content: string | null } }[]
  usage: object
  error: { message: string; code: string | null }
  data: { id: string }[]
}

export async function readAnswer(response: Response): Promise<Answer> {
  return (await response.json()) as Answer
}

export interface Chunk {
  id: string
  model: string
  choices?: { delta: Delta; finish_reason: string | null }[]
  usage?: object | null
  error?: object
}

interface Delta {
  role?: string
  content?: string
  reasoning_content?: string
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
}

/** The payloads of a stream's `data:` lines. */
export async function readData(response: Response): Promise<string[]> {
  return toData(await response.text())
}

export function toData(body: string): string[] {
  return body
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => frame.replace(/^data: /, ""))
}

/** The chunks of a complete stream, without its end marker. */
export async function readChunks(response: Response): Promise<Chunk[]> {
  const data = await readData(response)
  return data.filter((payload) => payload !== "[DONE]").map((payload) => JSON.parse(payload) as Chunk)
}

/** The deltas of the first choice, without empty ones. */
export function deltasOf(chunks: Chunk[]): Delta[] {
  return chunks.map((chunk) => chunk.choices?.[0]?.delta ?? {}).filter((delta) => Object.keys(delta).length > 0)
}

export function finishOf(chunks: Chunk[]): string | undefined {
  return chunks.map((chunk) => chunk.choices?.[0]?.finish_reason).find((reason) => typeof reason === "string")
}

/** Reads until the connection ends, however it ends, and tells how. */
export async function readToEnd(response: Response): Promise<{ body: string; complete: boolean }> {
  const decoder = new TextDecoder()
  let body = ""
  try {
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      body += decoder.decode(bytes, { stream: true })
    }
    return { body, complete: true }
  } catch {
    return { body, complete: false }
  }
}

/** Reads the body until `expected` has come, and leaves the rest. */
export async function readUntil(response: Response, expected: string): Promise<void> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let body = ""
  while (!body.includes(expected)) {
    const part = await reader?.read()
    if (part === undefined || part.done) throw new Error(`The body ended without ${expected}: ${body}`)
    body += decoder.decode(part.value, { stream: true })
  }
}
