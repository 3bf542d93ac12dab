import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  call,
  chatRequest,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  reply,
  stall,
  text,
} from "@pawl/model-server"

/** As a summarizer of good will writes it. */
export const SUMMARY = [
  "## Objective\nLook into every drawer.",
  "## Important details\nThe key is under the mat.",
  "## Work state\n- Completed: some drawers\n- Active: the next\n- Blocked: nothing",
  "## Next move\nOpen the next drawer.",
  "## Relevant files\n- drawer.txt: what was found",
].join("\n\n")

export interface SmallWindowOptions {
  /** Drawers that are opened for each task, a step each; each fills about 1,000 tokens. */
  readonly drawers: number
  /** What a summarizer says in place of SUMMARY. */
  readonly summarizer?: () => ReturnType<typeof reply>
  /** The drawer the model never comes to: it falls silent in its place. */
  readonly silentAt?: number
}

/** A model that opens one drawer after the other, and writes summaries when it is asked for one. */
export function drawerServer({ drawers, summarizer, silentAt }: SmallWindowOptions): Promise<ModelServer> {
  let opened = 0
  return modelServer({
    replies(request) {
      if (isSummarizing(request)) return summarizer?.() ?? reply(text(SUMMARY))
      if (opened < drawers) {
        opened++
        if (opened === silentAt) return reply(stall())
        const command = `echo drawer ${opened}; head -c 4000 /dev/zero | tr '\\0' x | fold -w 80`
        return reply(call("bash", { command }))
      }
      opened = 0
      return reply(text("All drawers are open."))
    },
  })
}

export function isSummarizing(request: RecordedRequest | undefined): boolean {
  return said(request).at(-1)?.includes("Answer with the summary alone") === true
}

/** The texts of a request's messages, in their order. */
export function said(request: RecordedRequest | undefined): string[] {
  return chatRequest(request).messages.map(({ content }) => {
    return typeof content === "string" ? content : JSON.stringify(content ?? "")
  })
}

/** Configures the server's model as small/test with a window of 10,000 tokens. */
export async function configure(directory: string, server: Pick<ModelServer, "url">, more: object = {}): Promise<void> {
  const models = { test: { limit: { context: 10_000, output: 1000 }, cost: { input: 1, output: 5 } } }
  const config = { model: "small/test", provider: { small: { options: { baseURL: server.url }, models } }, ...more }
  await writeFile(join(directory, "pawl.json"), JSON.stringify(config))
}
