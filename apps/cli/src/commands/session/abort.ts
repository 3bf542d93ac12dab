import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import type { LeaseHolder, SessionID, Storage } from "@pawl/core/storage"
import { plainLine } from "@pawl/plain-text"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { MISSING_SESSION, storageOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { listenForStop } from "../../run/stop.ts"
import { canAsk, confirm } from "../../session/confirm.ts"

/** Interval of looks at the lease of a process that was asked to end, and their maximum number. */
const POLL_MS = 100
const MAX_LOOKS = 300

const sessionAbortOptions = {
  yes: { short: "y", summary: "do not ask before a process is interrupted" },
  ...storageOptions,
} as const

type Input = CommandInput<typeof sessionAbortOptions>

/** Ends the run of a session, whichever process works on it. */
async function sessionAbort({ options, words }: Input, host: Host): Promise<ExitCode> {
  const { stderr } = host
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    const holder = await storage.leaseHolder?.(id)
    if (!holder) {
      stderr.write(`Session ${id} is not running.\n`)
      return exitCodes.success
    }
    if (await abortedByServer(id, holder, host)) {
      stderr.write(`The server has ended the run of session ${id}.\n`)
      return exitCodes.success
    }
    return interrupted({ storage, id, holder }, options.yes === true, host)
  })
}

/** Returns false if the server that runs here does not hold the session. */
async function abortedByServer(sessionID: SessionID, { process: owner }: LeaseHolder, host: Host): Promise<boolean> {
  const { readAnnounced, connect } = await import("@pawl/client")
  const { dataDirectory } = await readDataLocations(host)
  const server = await readAnnounced(dataDirectory)
  if (!server || !owner || server.pid !== owner.pid) return false
  const client = await connect({ dataDirectory })
  await client.call("session.abort", { path: { sessionID } })
  return true
}

interface Held {
  readonly storage: Pick<Storage, "leaseHolder">
  readonly id: SessionID
  readonly holder: LeaseHolder
}

/** Sends SIGINT to the process that holds the session, as Ctrl-C in its terminal does, and waits for the end of the run. */
async function interrupted({ storage, id, holder }: Held, isSure: boolean, host: Host): Promise<ExitCode> {
  const { stderr } = host
  const owner = holder.process
  // The lease has the process's host, boot and start time: `isAlive` says that this is still that process.
  if (!owner || !holder.isAlive) {
    const where = owner ? `process ${owner.pid} on ${plainLine(owner.host)}` : "a process that is not visible from here"
    throw new UsageError(`Session ${id} is run by ${where}.`, "Stop it there.")
  }
  const name = `process ${owner.pid}${await commandOf(owner.pid)}`
  if (!isSure) {
    const question = `Session ${id} is run by ${name}. Interrupt that process, as Ctrl-C does?`
    if (!canAsk(host))
      throw new UsageError(`${question} Confirmation needed, but stdin is not a terminal.`, "Pass --yes.")
    const stop = listenForStop(host, () => performance.now())
    const isWanted = await confirm(question, { host, stop }).finally(() => stop.dispose())
    if (!isWanted) return exitCodes.failed
  }
  const current = await storage.leaseHolder?.(id)
  // The answer may have taken a while.
  if (current?.isAlive && current.epoch === holder.epoch) process.kill(owner.pid, "SIGINT")
  for (let look = 0; look < MAX_LOOKS; look++) {
    const held = await storage.leaseHolder?.(id)
    if (held?.epoch !== holder.epoch) {
      stderr.write(`The run of session ${id} has ended.\n`)
      return exitCodes.success
    }
    await sleep(POLL_MS)
  }
  stderr.write(`${name} still runs session ${id}.\n`)
  return exitCodes.failed
}

/** Returns the beginning of a command line, in parentheses. Empty if the system does not show it. */
async function commandOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  const line = plainLine(text.replaceAll("\0", " ").trim())
  return line === "" ? "" : ` (${line.length > 80 ? `${line.slice(0, 79)}…` : line})`
}

export const command = defineCommand({
  usage: ["session abort [options] <id>"],
  notes: [
    "Ends the run of a session, whichever process works on it, and waits until the run is stored. A run of pawl serve is ended by " +
      "the server, which goes on serving. Any other process gets SIGINT, as with Ctrl-C in its terminal, after a question.",
    "Only a process of this machine is interrupted, and only if the session's lease names its start time.",
  ],
  words: { min: 1, max: 1, completes: "sessions", missing: MISSING_SESSION },
  options: sessionAbortOptions,
  exitCodes: { 0: "the session is not running any more" },
  examples: [
    ["pawl session abort ses_7ZZ…", "end a run from another terminal"],
    ["pawl session abort --yes ses_7ZZ…", "end it from a script"],
  ],
  run: sessionAbort,
})
