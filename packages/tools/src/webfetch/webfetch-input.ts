import { ToolInputError } from "@pawl/core/tool"
import * as z from "zod/mini"
import { type Field, fromDigits, optional, textField, toolInput } from "../tool-input.ts"
import { pageURL } from "./network/page-url.ts"

export type PageFormat = "markdown" | "text" | "html"

/** A validated call. */
export interface WebfetchInput {
  /** Normalized by `pageURL`. */
  readonly url: string
  readonly format: PageFormat
  /** Seconds for everything from resolving the host to converting the page. */
  readonly timeout: number
}

const DEFAULT_TIMEOUT_SECONDS = 30
export const MAX_TIMEOUT_SECONDS = 120
const FORMATS: readonly PageFormat[] = ["markdown", "text", "html"]

const input = toolInput("webfetch", {
  url: textField("The address to fetch, beginning with http:// or https://"),
  format: optional(formatField("Format of an HTML page: markdown (default), text without markup, or html as it is")),
  timeout: optional(
    timeoutField(`How many seconds to wait (default ${DEFAULT_TIMEOUT_SECONDS}, at most ${MAX_TIMEOUT_SECONDS})`),
  ),
})

export const { inputSchema } = input

/** Throws ToolInputError, also for an address that can never be fetched. */
export function parseInput(value: unknown): WebfetchInput {
  const { url, format = "markdown", timeout = DEFAULT_TIMEOUT_SECONDS } = input.parse(value)
  const page = pageURL(url)
  if (page.type === "page") return { url: page.url.href, format, timeout }
  throw new ToolInputError(
    `The webfetch tool was called with invalid arguments: url: the address ${page.reason}.\n` +
      "Please give the full address of a page, such as https://example.com/docs.",
  )
}

function formatField(description: string): Field<PageFormat> {
  return { json: { type: "string", enum: [...FORMATS], description }, isOptional: false, zod: () => z.enum(FORMATS) }
}

function timeoutField(description: string): Field<number> {
  return {
    json: { type: "number", exclusiveMinimum: 0, maximum: MAX_TIMEOUT_SECONDS, description },
    isOptional: false,
    zod: () => z.number().check(z.gt(0), z.lte(MAX_TIMEOUT_SECONDS)),
    read: fromDigits,
  }
}
