import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, type RecordedRequest, type Reply, reply, text } from "@pawl/model-server"
import { type Ended, runPawl } from "./run-pawl.ts"

/** What became of a plugin. */
export interface Tried {
  readonly name: string
  /** Absent if nothing could be installed. */
  readonly version?: string
  /** `works`: the turn ran to its end, and no hook failed. */
  readonly outcome: "works" | "with errors" | "does not load"
  readonly hooks: readonly string[]
  /** How often the turn called its hooks. */
  readonly calls: number
  readonly tools: number
  /** Milliseconds to find, check and import it, and to start it, once it is installed. */
  readonly loadMs?: number
  readonly startMs?: number
  /** Sentences of pawl about what failed. */
  readonly errors: readonly string[]
  /** What the turn told its user besides. */
  readonly notices: readonly string[]
}

/** A line of `pawl plugin doctor --json`, as far as it is read here. */
interface Report {
  readonly version?: string
  readonly ok: boolean
  readonly load_ms?: number
  readonly start_ms?: number
  readonly problems: readonly string[]
  readonly plugins: readonly {
    readonly hooks: readonly string[]
    readonly tools: number
    readonly in_runs?: Readonly<Record<string, { readonly count: number }>>
  }[]
}

/** Tools have a number of their own, and `dispose` is there for every plugin. */
const UNCOUNTED: ReadonlySet<string> = new Set(["tool", "dispose"])

/** In the notice of a plugin's handler that threw where nothing waits for it. */
const EVENT_FAILURE = "Its handler of events failed"

const ANSWER = "The file says hello."

/** Thrown if npm cannot reach its registry: no plugin can be tried then. */
export class RegistryError extends Error {
  override readonly name = "RegistryError"
}

/**
 * Installs the plugin for a user of its own below `scratch`, and lets pawl take one turn with it: a model that plays a script
 * reads a file and answers. Rejects with RegistryError, or with the signal's reason.
 */
export async function tryPlugin(name: string, scratch: string, signal: AbortSignal): Promise<Tried> {
  const home = await mkdtemp(join(scratch, "user-"))
  const directory = join(home, "project")
  await write(join(home, ".config/pawl/pawl.jsonc"), JSON.stringify({ plugin: [name] }))
  await write(join(directory, "hello.txt"), "hello\n")
  const { PATH, npm_config_registry: registry } = process.env
  const environment = {
    ...{ PATH, HOME: home, TMPDIR: home, TERM: "dumb", LANG: "C.UTF-8" },
    // The registry of whoever runs this, which the user of its own has no file for.
    ...{ npm_config_cache: join(scratch, "npm"), npm_config_userconfig: join(homedir(), ".npmrc") },
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
  }
  await using model = await modelServer({ replies: (request) => answerTo(request) })
  const pawl = (...args: string[]) => runPawl(args, { directory, environment, signal })
  const doctor = async () => reportOf(await pawl("plugin", "doctor", "--json"))

  const installed = await doctor()
  const unreachable = installed.problems.flatMap((problem) => /The registry cannot be reached.*/.exec(problem) ?? [])[0]
  if (unreachable !== undefined) throw new RegistryError(unreachable)
  const run = ["run", "--json", "--print-logs", "-m", "local/scripted", "--base-url", model.url]
  const turn = installed.ok ? await pawl(...run, "What does hello.txt say?") : undefined
  // Once more: it loads as in every later run, and knows how often its hooks failed.
  const report = installed.ok ? await doctor() : installed
  const errors = [...new Set([...report.problems, ...(turn ? turnErrors(turn) : [])])]
  return {
    name,
    ...(report.version === undefined ? {} : { version: report.version }),
    outcome: report.ok ? (errors.length === 0 ? "works" : "with errors") : "does not load",
    hooks: [...new Set(report.plugins.flatMap(({ hooks }) => hooks))].filter((hook) => !UNCOUNTED.has(hook)).toSorted(),
    calls: calls(report),
    tools: report.plugins.reduce((sum, { tools }) => sum + tools, 0),
    ...(report.ok ? { loadMs: Math.round(report.load_ms ?? 0), startMs: Math.round(report.start_ms ?? 0) } : {}),
    errors,
    notices: turn ? logged(turn, "notice").filter((notice) => !notice.includes(EVENT_FAILURE)) : [],
  }
}

/** Calls a tool once, then answers. Requests of plugins for their own use have no tools, and are answered at once. */
function answerTo(request: RecordedRequest): Reply {
  const { messages, tools = [] } = chatRequest(request)
  const isFirst = !messages.some(({ role }) => role === "tool")
  const reads = tools.some((each) => each.function.name === "read")
  return isFirst && reads ? reply(call("read", { filePath: "hello.txt" })) : reply(text(ANSWER))
}

function calls({ plugins }: Report): number {
  const counts = plugins.flatMap(({ in_runs: hooks = {} }) => Object.values(hooks).map(({ count }) => count))
  return counts.reduce((sum, count) => sum + count, 0)
}

function reportOf({ stdout, stderr, code }: Ended): Report {
  const [report] = parsed(stdout)
  if (report !== undefined) return report as unknown as Report
  const last = stderr.trim().split("\n").at(-1) || `pawl plugin doctor ended with ${code ?? "a signal"}`
  return { ok: false, problems: [last], plugins: [] }
}

/** What a plugin's hooks threw, and why the turn has no answer, where it has none. */
function turnErrors({ code, stdout, stderr }: Ended): string[] {
  const failures = [
    ...logged({ stderr }, "plugin-error"),
    ...logged({ stderr }, "notice").filter((notice) => notice.includes(EVENT_FAILURE)),
  ]
  if (code === 0 && stdout.includes(ANSWER)) return failures
  const said =
    stderr
      .trim()
      .split("\n")
      .findLast((line) => line !== "" && !line.startsWith("{")) ?? "nothing"
  return [...failures, `The turn ended with ${code ?? "a signal"}: ${said}`]
}

/** The messages of a kind in the log, which goes to stderr. */
function logged({ stderr }: Pick<Ended, "stderr">, kind: string): string[] {
  const records = parsed(stderr).filter(({ event }) => event === kind)
  return [...new Set(records.map(({ message }) => String(message)))]
}

/** The JSON objects of a text that has one a line, among other lines. */
function parsed(text: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []
    } catch {
      return []
    }
  })
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}
