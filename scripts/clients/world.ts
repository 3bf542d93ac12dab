import { execFile, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { modelServer, type ModelServer } from "@pawl/model-server"
import { answerTo, attachedContent, attachedFile, greeting, greetingFile } from "./model.ts"

export const cli = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url))

const run = promisify(execFile)
const POLL_MS = 50

/** Serves OpenCode's web app to the browser, which intercepts its requests. */
export const WEB_ORIGIN = "http://opencode.localhost:7777"

/** A server with a home, a project and a model of its own. */
export interface World extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly project: string
  readonly home: string
  /** For programs of the user of this home. */
  readonly environment: Readonly<Record<string, string>>
  readonly model: ModelServer
  /** The directory whose `node_modules` have the clients. */
  readonly packages: string
  /** Aborts when the time of the cell is over, or the user ends the script. */
  readonly signal: AbortSignal
  /** Kills the server with SIGKILL, and returns when it has ended. */
  kill(): Promise<void>
  /** Starts it again at the same port. */
  restart(): Promise<void>
  /** Waits until the value is there. Rejects with what is missing when the cell's time is over. */
  until<T>(what: string, value: () => T | undefined | false | Promise<T | undefined | false>): Promise<T>
  /** Send a request as another client would. */
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
  /** Calls this when the cell ends, the newest first. */
  atEnd(close: () => unknown): void
}

export interface WorldOptions {
  readonly scratch: string
  readonly packages: string
  readonly signal: AbortSignal
}

export async function openWorld({ scratch, packages, signal }: WorldOptions): Promise<World> {
  const home = await mkdtemp(join(scratch, "home-"))
  const project = join(home, "project")
  const { PATH = "" } = process.env
  const environment = {
    ...{ PATH: `${dirname(process.execPath)}:${PATH}`, HOME: home, TMPDIR: home, LANG: "C.UTF-8" },
    ...{ XDG_DATA_HOME: join(home, ".local/share"), XDG_CONFIG_HOME: join(home, ".config") },
    ...{ XDG_CACHE_HOME: join(home, ".cache"), XDG_STATE_HOME: join(home, ".local/state") },
    ...{ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
    ...{ GIT_CONFIG_NOSYSTEM: "1", NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" },
  }
  const permission = { bash: "ask", edit: { "*": "allow", [greetingFile]: "ask" } }
  await write(join(home, ".config/pawl/pawl.jsonc"), JSON.stringify({ permission }))
  await write(join(project, greetingFile), greeting)
  await write(join(project, attachedFile), attachedContent)
  await repository(project, environment)

  const model = await modelServer({ replies: answerTo })
  const closing: (() => unknown)[] = []
  let server: ChildProcess | undefined
  let port = "0"
  let url = ""

  async function start(): Promise<void> {
    const args = ["serve", "--port", port, "--model", "local/scripted", "--base-url", model.url]
    const child = spawn(process.execPath, [cli, ...args, "--cors", WEB_ORIGIN], {
      ...{ cwd: project, env: environment, stdio: ["ignore", "ignore", "pipe"] },
    })
    server = child
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece))
    url = await until(`"Serving … at" from pawl serve`, () => {
      if (child.exitCode !== null) throw new Error(`pawl serve ended with ${child.exitCode}: ${stderr}`)
      return stderr.includes("The token is in") && /http:\/\/[\d.]+:\d+/.exec(stderr)?.[0]
    })
    port = new URL(url).port
  }

  const until: World["until"] = async (what, value) => {
    for (;;) {
      const current = await value()
      if (current !== undefined && current !== false) return current
      if (signal.aborted) throw new Error(`Missing: ${what}`, { cause: signal.reason })
      await delay(POLL_MS)
    }
  }

  async function kill(): Promise<void> {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  async function close(): Promise<void> {
    for (const each of closing.toReversed()) await each()
    await kill()
    await model.close()
  }

  try {
    await start()
    const token = (await readFile(join(home, ".local/share/pawl/serve-token"), "utf8")).trim()
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const send = async (path: string, init: RequestInit) => {
      return (await fetch(`${url}${path}`, { ...init, headers, signal })).json()
    }
    return {
      ...{ url, token, project, home, environment, model, packages, signal, kill, until },
      restart: start,
      get: (path) => send(path, {}),
      post: (path, body) => send(path, { method: "POST", body: JSON.stringify(body) }),
      atEnd: (each) => void closing.push(each),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A repository with one commit, whose directory the clients work in. */
async function repository(project: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const git = (...args: string[]) => run("git", args, { cwd: project, env: environment })
  await git("init", "--quiet", "--initial-branch=main")
  await git("add", ".")
  const author = ["-c", "user.name=Client", "-c", "user.email=client@example.com"]
  await git(...author, "commit", "--quiet", "--message", "Begin")
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}
