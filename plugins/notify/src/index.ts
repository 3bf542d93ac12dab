import { spawn } from "node:child_process"
import { definePlugin, type HookInput, type PluginInput, z } from "@pawl/plugin"

const settings = z.strictObject({
  /** Events that are reported. Default: all. */
  on: z.array(z.enum(["idle", "error", "question"])).default(["idle", "error", "question"]),
  /** Shows a desktop notification: `notify-send` on Linux, `osascript` on macOS. */
  desktop: z.boolean().optional(),
  /** URL that gets a POST with `{type, sessionID, title, message}` as JSON. */
  webhook: z.url({ protocol: /^https?$/ }).optional(),
  /** A program and its arguments with `{title}` and `{message}` as placeholders. Replaces the desktop notification. */
  command: z.array(z.string().min(1)).min(1).optional(),
  /** The end of a turn is reported only if it took at least this many seconds. */
  after: z.number().min(0).default(10),
})

type Settings = z.infer<typeof settings>
type Event = HookInput<"event">["event"]
type SessionID = Parameters<PluginInput["engine"]["getSession"]>[0]

interface News {
  readonly type: Settings["on"][number]
  readonly sessionID: SessionID
  readonly message: string
}

const TIMEOUT_MS = 10_000

export default definePlugin(({ options, engine }) => {
  const { on, after, ...ways } = settings.parse(options)
  const began = new Map<SessionID, number>()
  /** Sessions whose error was reported, so that the end of the turn is not reported too. */
  const failed = new Set<SessionID>()

  async function tell({ type, sessionID, message }: News) {
    const session = await engine.getSession(sessionID)
    const body = { type, sessionID, title: session.title, message }
    const isOnDesktop = ways.desktop ?? (ways.webhook === undefined && ways.command === undefined)
    const command = ways.command ?? (isOnDesktop ? desktopCommand(process.platform) : undefined)
    await Promise.all([
      ...(ways.webhook === undefined ? [] : [post(ways.webhook, body)]),
      ...(command === undefined ? [] : [run(command.map((word) => filled(word, body)))]),
    ])
  }

  return {
    async event({ event }) {
      if (event.type === "session.status" && event.properties.status.type === "busy") {
        const { sessionID } = event.properties
        began.set(sessionID, began.get(sessionID) ?? Date.now())
      }
      const news = toNews(event)
      if (!news) return
      const { sessionID } = news
      if (news.type === "idle") {
        const since = Date.now() - (began.get(sessionID) ?? 0)
        began.delete(sessionID)
        if (failed.delete(sessionID) || since < after * 1000) return
      }
      if (!on.includes(news.type)) return
      if (news.type === "error") failed.add(sessionID)
      // A subagent's results are reported by its parent, but its questions need a user.
      if (news.type !== "question" && (await engine.getSession(news.sessionID)).parentID !== undefined) return
      await tell(news)
    },
  }
})

function toNews(event: Event): News | undefined {
  switch (event.type) {
    case "session.idle":
      return { type: "idle", sessionID: event.properties.sessionID, message: "pawl is done." }
    case "session.error": {
      const { sessionID, error } = event.properties
      return sessionID && { type: "error", sessionID, message: `pawl has stopped: ${error.data.message}` }
    }
    case "permission.asked": {
      const { sessionID, permission, patterns, refused } = event.properties
      // A refused question cannot be answered.
      if (refused) return undefined
      return { type: "question", sessionID, message: `May pawl use ${permission}: ${patterns.join(", ")}?` }
    }
    case "question.asked": {
      const { sessionID, questions } = event.properties
      return { type: "question", sessionID, message: questions.map(({ question }) => question).join(" ") }
    }
    default:
      return undefined
  }
}

async function post(address: string, body: News & { readonly title: string }): Promise<void> {
  const response = await fetch(address, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The webhook answered ${response.status}: look at the option "webhook".`)
}

function desktopCommand(platform: NodeJS.Platform): readonly string[] {
  if (platform === "linux") return ["notify-send", "--app-name=pawl", "--", "{title}", "{message}"]
  if (platform !== "darwin") throw new Error(`There are no desktop messages on ${platform}: set the option "command".`)
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
  return ["osascript", "-e", script, "{title}", "{message}"]
}

function filled(word: string, { title, message }: { readonly title: string; readonly message: string }): string {
  return word.replaceAll(/\{(title|message)\}/g, (_, name) => (name === "title" ? title : message))
}

/** No shell, because titles contain text of a model. */
async function run([program = "", ...args]: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(program, args, { stdio: "ignore", timeout: TIMEOUT_MS })
  child.on("error", ({ message }) =>
    reject(new Error(`${program} cannot be run (${message}): set the option "command".`)),
  )
  child.on("exit", (code) => {
    if (code === 0) resolve()
    else reject(new Error(`${program} ended with ${code ?? "a signal"}.`))
  })
  await promise
}
