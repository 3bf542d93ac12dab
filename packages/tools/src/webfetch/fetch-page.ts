import type { IncomingMessage } from "node:http"
import type { ToolContext, ToolResult } from "@pawl/core/tool"
import { contentKind, mediaType } from "./content/media-type.ts"
import { pageContent } from "./content/page-content.ts"
import { fetchFailure, statusFailure } from "./fetch-failure.ts"
import { htmlText } from "./html/html-text.ts"
import { markdownStyle, plainStyle } from "./html/style.ts"
import { follow } from "./network/follow.ts"
import { systemNetwork } from "./network/network.ts"
import { ENCODINGS, readBody } from "./network/read-body.ts"
import type { PageFormat, WebfetchInput } from "./webfetch-input.ts"
import type { WebfetchToolOptions } from "./webfetch-options.ts"

const MAX_BYTES = 5 * 1024 * 1024

const ACCEPT: Readonly<Record<PageFormat, string>> = {
  markdown: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
  text: "text/plain, text/markdown;q=0.9, text/html;q=0.8, application/xhtml+xml;q=0.8, */*;q=0.5",
  html: "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
}
const NO_TEXT = "(The page shows no text by itself. It may be made by scripts, which webfetch does not run.)"

/** Fetches a page and formats it for the model. Rejects with a text for the model, or with the signal's reason. */
export async function fetchPage(
  { url, format, timeout }: WebfetchInput,
  options: WebfetchToolOptions,
  callSignal: ToolContext["signal"],
): Promise<ToolResult> {
  const { userAgent = "pawl", allowPrivate = () => false, network = systemNetwork } = options
  const deadline = AbortSignal.timeout(timeout * 1000)
  const signal = AbortSignal.any([callSignal, deadline])
  const headers = { "user-agent": userAgent, accept: ACCEPT[format], "accept-encoding": ENCODINGS }
  const page = await orFailure(() => follow(new URL(url), { network, allowPrivate, headers, signal }))
  return page.type === "elsewhere" ? elsewhere(page.from, page.to) : received(page.url, page.response)

  async function received(at: URL, response: IncomingMessage): Promise<ToolResult> {
    const type = mediaType(response.headers["content-type"])
    const status = response.statusCode ?? 0
    const isFailure = status < 200 || status > 299
    if (isFailure || contentKind(type.essence) === "binary") {
      response.destroy()
      throw isFailure ? statusFailure(at.href, status, response.headers["retry-after"]) : unusable(at, type.essence)
    }
    const content = pageContent(await orFailure(() => readBody(response, MAX_BYTES)), type)
    if (content.type === "binary") throw unusable(at, content.found)
    const result = {
      title: `${at.href} (${content.type === "attachment" ? content.mime : type.essence || "text"})`,
      metadata: { url: at.href, status, contentType: type.essence },
    }
    if (content.type === "attachment") return { ...result, ...attachment(at, content) }
    if (!content.isHTML || format === "html") return { ...result, output: content.text || "(The page is empty.)" }
    const style = format === "text" ? plainStyle : markdownStyle
    const { text, isCut } = await orFailure(() => htmlText(content.text, { url: at, style, signal }))
    const note = isCut ? "\n\n(The rest of the page was left out.)" : ""
    return { ...result, output: text === "" ? NO_TEXT : `${text}${note}` }
  }

  async function orFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      callSignal.throwIfAborted()
      throw fetchFailure(error, { url, timeout, maxBytes: MAX_BYTES, hasTimedOut: deadline.aborted })
    }
  }
}

function elsewhere(from: URL, to: URL): ToolResult {
  return {
    title: `${from.href} (redirect)`,
    output:
      `${from.href} redirects to another place:\n${to.href}\n` +
      "It was not followed. If that is where you want to go, call webfetch again with this address.",
    metadata: { url: from.href, redirect: to.href },
  }
}

function attachment(at: URL, { mime, bytes, maxBytes }: { mime: string; bytes: Buffer; maxBytes: number }) {
  if (bytes.length > maxBytes) {
    throw new Error(
      `${at.href} holds ${bytes.length} bytes of ${mime}, at most ${maxBytes} can be attached. Look for a smaller one.`,
    )
  }
  const url = `data:${mime};base64,${bytes.toString("base64")}`
  const noun = mime === "application/pdf" ? "PDF" : "Image"
  const filename = at.pathname.split("/").findLast((part) => part !== "")
  return {
    output: `${noun} fetched successfully.`,
    attachments: [{ type: "file" as const, mime, url, ...(filename === undefined ? {} : { filename }) }],
  }
}

function unusable(at: URL, found: string): Error {
  return new Error(
    `${at.href} is neither text nor an image nor a PDF: its type is ${found}. Look for a page about it, or download it with bash.`,
  )
}
