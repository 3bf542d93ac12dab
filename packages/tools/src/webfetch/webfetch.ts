import { defineTool, type Tool } from "@pawl/core/tool"
import { inputSchema, parseInput, type WebfetchInput } from "./webfetch-input.ts"
import type { WebfetchToolOptions } from "./webfetch-options.ts"

export function webfetchTool(options: WebfetchToolOptions = {}): Tool<WebfetchInput> {
  return defineTool<WebfetchInput>({
    name: "webfetch",
    description:
      "Fetches a page of the web and returns it as Markdown, plain text or HTML; JSON and other text come as they are. Images (PNG, " +
      "JPEG, GIF, WebP) and PDF files come as attachments. At most 5 MB. Only public addresses are reached, without a sign-in, and no " +
      "script of a page is run. A redirect to another host is reported instead of followed: call again with the address it names.",
    inputSchema,
    parse: parseInput,
    effect: "pure",
    permissions: ({ url }) => [{ permission: "webfetch", patterns: [url] }],
    async execute(call, context) {
      context.progress({ title: call.url })
      // HTTP, TLS and the parser are loaded for the first page, not at start.
      const { fetchPage } = await import("./fetch-page.ts")
      return fetchPage(call, options, context.signal)
    },
  })
}
