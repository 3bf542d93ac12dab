import { readdir, stat } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { PromptPart } from "@pawl/core"
import { attachedPath } from "../files/inside.ts"
import { readJudgedFile } from "../files/regular-file.ts"
import type { ServerHost } from "../host.ts"
import { RequestError } from "../request-error.ts"
import type { FileInput } from "./prompt-body.ts"

const MAX_CHARACTERS = 50_000

/** Returns the prompt parts of an attached file: its text as text, other files unchanged. */
export async function attachedFile(
  { mime, filename, url }: FileInput,
  project: Pick<ServerHost, "directory" | "worktree">,
): Promise<PromptPart[]> {
  const named = (name: string | undefined) => (name === undefined ? {} : { filename: name })
  if (url.startsWith("data:")) {
    const part: PromptPart = { type: "file", mime, url, ...named(filename) }
    return mime === "text/plain" ? [contentPart(filename ?? "a file", textOf(url)), part] : [part]
  }
  if (!url.startsWith("file:")) return [{ type: "file", mime, url, ...named(filename) }]
  const path = pathOf(url)
  const name = filename ?? basename(path)
  const real = await attachedPath(project, path)
  if (await isDirectory(real)) {
    const entries = (await readdir(real)).toSorted().join("\n")
    return [contentPart(path, entries), { type: "file", mime: "application/x-directory", url, ...named(name) }]
  }
  const bytes = await contentOf(real)
  if (mime === "text/plain") return [contentPart(path, bytes.toString()), { type: "file", mime, url, ...named(name) }]
  return [{ type: "file", mime, url: `data:${mime};base64,${bytes.toString("base64")}`, ...named(name) }]
}

function contentPart(name: string, content: string): PromptPart {
  const cut = content.length > MAX_CHARACTERS ? `${content.slice(0, MAX_CHARACTERS)}\n(cut off here)` : content
  return { type: "text", text: `Attached by the user: ${name}\n\n${cut}`, synthetic: true }
}

function textOf(url: string): string {
  const [head = "", ...rest] = url.slice("data:".length).split(",")
  const body = rest.join(",")
  if (head.endsWith(";base64")) return Buffer.from(body, "base64").toString()
  try {
    return decodeURIComponent(body)
  } catch {
    throw new RequestError("Body", "The attached text is not encoded as a URI component, nor in base64.")
  }
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    throw new RequestError("Body", `"${url}" is not the URL of a file on this machine.`)
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readJudgedFile(path, "Body")
  } catch (error) {
    if (error instanceof RequestError) throw error
    throw new RequestError("Body", `The attached file ${path} cannot be read: ${String(error)}`)
  }
}
