import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdtemp, open, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Binaries, copyBinaries, findBinaries } from "./binaries.ts"

/** As of `pg_ctl stop`: `fast` ends connections, `immediate` ends the server as a crash would. */
export type StopMode = "fast" | "immediate"

export interface TestServerOptions {
  /** Commits survive a power cut, not only a crash of the server. Default: false. */
  readonly durable?: boolean
  /** More settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Default: the system's, else those of npm. */
  readonly binaries?: Binaries
}

/** A PostgreSQL server for tests: on loopback, in a temporary directory, ended with the process that started it. */
export interface TestServer extends AsyncDisposable {
  /** URL of the database `postgres`, as its owner. The port stays the same after a restart. */
  readonly url: string
  readonly dataDirectory: string
  /** The server's process id; undefined while it is stopped. */
  readonly pid: number | undefined
  stop(mode?: StopMode): Promise<void>
  /** Starts it again after `stop`. */
  start(): Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

const SIGNALS: Readonly<Record<StopMode, NodeJS.Signals>> = { fast: "SIGINT", immediate: "SIGQUIT" }
const START_TIMEOUT_MS = 30_000

/** PostgreSQL refuses to run as root. */
const NOBODY: User = { uid: 65534, gid: 65534 }

/** Ends the server and removes its directory once this process is gone, however it ended: then its pipe closes. */
const WATCHDOG = `cat > /dev/null; kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 1; rm -rf "$1"`

/** Makes a new server and starts it. Rejects where PostgreSQL is not installed, in words that say how to get it. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const binaries = options.binaries ?? findBinaries()
  if (!binaries) throw new Error("PostgreSQL is not installed. Install it, or set TEST_DATABASE_URL to a server's URL.")
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  const directory = await mkdtemp(join(tmpdir(), "pawl-postgres-"))
  const watchdog = spawn("/bin/sh", ["-c", WATCHDOG, "watchdog", directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  watchdog.unref()
  try {
    if (user) await chown(directory, user.uid, user.gid)
    await chmod(directory, 0o700)
    const bin = binaries.isPackage ? await copyBinaries(binaries, join(directory, "native")) : binaries.directory
    const dataDirectory = join(directory, "data")
    await initialize(bin, dataDirectory, user)
    const port = await freePort()
    const server = await runningServer({ bin, directory, dataDirectory, port, user, options })
    return {
      ...server,
      get pid() {
        return server.pid
      },
      async [Symbol.asyncDispose]() {
        await server.stop("immediate")
        watchdog.kill("SIGKILL")
        await rm(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    watchdog.kill("SIGKILL")
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

interface Place {
  readonly bin: string
  readonly directory: string
  readonly dataDirectory: string
  readonly port: number
  readonly user: User | undefined
  readonly options: TestServerOptions
}

async function runningServer(place: Place): Promise<Omit<TestServer, typeof Symbol.asyncDispose>> {
  const { directory, dataDirectory, port } = place
  let running: ChildProcess | undefined

  async function start(): Promise<void> {
    if (running) return
    const log = await open(join(directory, "log"), "a")
    const settings = Object.entries(settingsOf(place)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    // Another session, so that Ctrl-C in a terminal does not end it before the tests that use it.
    const child = spawn(join(place.bin, "postgres"), ["-D", dataDirectory, ...settings], {
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
      ...place.user,
    })
    child.unref()
    await log.close()
    running = child
    child.once("exit", () => {
      if (running === child) running = undefined
    })
    await ready(child, place)
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    dataDirectory,
    get pid() {
      return running?.pid
    },
    start,
    async stop(mode = "fast") {
      const child = running
      if (!child) return
      child.ref()
      const ended = once(child, "exit")
      child.kill(SIGNALS[mode])
      await ended
    },
  }
}

function settingsOf({ port, directory, options }: Place): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: directory,
    shared_buffers: "64MB",
    max_connections: "200",
    ...(!options.durable && { fsync: "off", full_page_writes: "off" }),
    ...options.settings,
  }
}

async function initialize(bin: string, dataDirectory: string, user: User | undefined): Promise<void> {
  const settings = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
  const child = spawn(join(bin, "initdb"), ["-D", dataDirectory, ...settings], {
    stdio: ["ignore", "ignore", "pipe"],
    ...user,
  })
  let output = ""
  child.stderr.on("data", (text) => (output += String(text)))
  const [code] = (await once(child, "close")) as [number | null]
  if (code !== 0) throw new Error(`initdb failed: ${output}`)
}

/** The server's own note that it takes connections is the eighth line of its pid file. */
async function ready(child: ChildProcess, { directory, dataDirectory }: Place): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < START_TIMEOUT_MS) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const lines = (await readFile(join(dataDirectory, "postmaster.pid"), "utf8").catch(() => "")).split("\n")
    // A pid file of the server before may still lie there.
    if (lines[0] === String(child.pid) && lines[7]?.trim() === "ready") return
    await sleep(5)
  }
  const log = await readFile(join(directory, "log"), "utf8")
  throw new Error(`PostgreSQL did not start: ${log.split("\n").slice(-10).join("\n")}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("No free port on loopback.")
  return address.port
}
