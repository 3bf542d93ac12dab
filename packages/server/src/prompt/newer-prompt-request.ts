import { extname } from "node:path"
import type { PromptPart, PromptRequest, SessionID } from "@pawl/core"
import { z } from "zod"
import { MIMES } from "../files/file-content.ts"
import { RequestError } from "../request-error.ts"
import { attachedFile } from "./attached-file.ts"

const source = z.object({ start: z.number(), end: z.number(), text: z.string() })

/** A prompt of OpenCode's newer interface. */
export const newerPromptBody = z.object({
  /** Id for the message, if it is the newest one. A second prompt with the same id is the same prompt. */
  id: z.templateLiteral(["msg_", z.string()]).optional(),
  prompt: z.object({
    text: z.string(),
    files: z.array(z.object({ uri: z.string(), name: z.string().optional() })).optional(),
    agents: z.array(z.object({ name: z.string(), source: source.optional() })).optional(),
  }),
  delivery: z.enum(["steer", "queue"]).default("steer"),
  /** `false` stores the prompt and begins no run. */
  resume: z.boolean().default(true),
})

type Body = z.infer<typeof newerPromptBody>
type Project = Parameters<typeof attachedFile>[1]

/** Converts a prompt to the engine's. Throws RequestError for files that cannot be attached. */
export async function newerPromptRequest(sessionID: SessionID, body: Body, project: Project): Promise<PromptRequest> {
  const { id, prompt, delivery, resume } = body
  const { text, files = [], agents = [] } = prompt
  const parts: PromptPart[] = text === "" ? [] : [{ type: "text", text }]
  for (const file of files) parts.push(...(await filePart(file, project)))
  for (const { name, source: place } of agents) {
    const { text: value = "", start = 0, end = 0 } = place ?? {}
    parts.push({ type: "agent", name, ...(place ? { source: { value, start, end } } : {}) })
  }
  return {
    ...{ sessionID, by: "program", parts, delivery },
    ...(id === undefined ? {} : { clientID: id, messageID: id }),
    ...(resume ? {} : { noReply: true }),
  }
}

/** The newer interface does not name the type of a file. */
async function filePart({ uri, name }: { uri: string; name?: string | undefined }, project: Project) {
  const parts = await attachedFile({ type: "file", mime: mimeOf(uri), filename: name, url: uri }, project)
  if (parts.some((part) => part.type === "text" && part.text.includes("\0"))) {
    throw new RequestError("Body", `${uri} is neither a text nor an image or PDF of a known type.`)
  }
  return parts
}

function mimeOf(uri: string): string {
  if (uri.startsWith("data:")) return /^data:([^;,]+)/.exec(uri)?.[1] ?? "text/plain"
  if (uri.startsWith("file:")) return MIMES[extname(uri).toLowerCase()] ?? "text/plain"
  throw new RequestError("Body", `"${uri.slice(0, 100)}" cannot be attached: use a URI with file: or data:.`)
}
