import type { MessageID, PartID, Session } from "@pawl/core/record"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { shownBy, shownTitle } from "../../session/masked.ts"
import { nextCommandFor } from "../../run/next-command.ts"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { isUnfinishedTransfer } from "@pawl/runtime/session/require-whole"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, MISSING_SESSION } from "../../command-options.ts"

const sessionForkOptions = {
  message: { value: "<id>", summary: "first message to leave out" },
  part: { value: "<id>", summary: "with --message: keep its parts before this one" },
  ...formattedStorageOptions,
} as const

async function sessionFork({ options, words }: CommandInput<typeof sessionForkOptions>, host: Host): Promise<ExitCode> {
  const { message, part } = options
  if (part !== undefined && message === undefined) {
    throw new UsageError("--part requires --message.", "See: pawl session fork --help")
  }
  return withStorage(host, { url: options.storage }, async (storage) => {
    const source = await sessionByID(storage, words[0] ?? "")
    const isWhole = !(await isUnfinishedTransfer(source))
    // An invalid id is not found either.
    const point = { messageID: message as MessageID | undefined, partID: part as PartID | undefined }
    const fork = await withEngine(storage, async (engine) => {
      const copy = await engine.forkSession({ sessionID: source.id, ...point })
      return isWhole ? copy : engine.updateSession(copy.id, await ownNames(copy))
    })
    if (options.format === "json") host.stdout.write(`${JSON.stringify(shownBy(host, false)(fork))}\n`)
    else {
      host.stdout.write(`${fork.id}\n`)
      if (!isWhole) host.stderr.write("The transfer of that session has not finished: the fork is incomplete.\n")
      host.stderr.write(`${shownTitle(host, fork.title)}\ngo on: ${nextCommandFor(host, fork.id, options.storage)}\n`)
    }
    return exitCodes.success
  })
}

/** Removes the marks of an unfinished transfer, since a fork does not receive the rest. */
async function ownNames(fork: Session) {
  const { withoutMark } = await import("@pawl/transfer/unfinished")
  return withoutMark(fork)
}

export const command = defineCommand({
  usage: ["session fork [options] <id>"],
  notes: [
    "The new session has copies of all messages, or of the messages before --message. Its id is printed to stdout. " +
      "pawl session show --format json prints the ids of messages and parts.",
  ],
  words: { min: 1, max: 1, completes: "sessions", missing: MISSING_SESSION },
  options: sessionForkOptions,
  examples: [
    ["pawl session fork ses_7ZZ…", "try another approach from here"],
    ["pawl session fork ses_7ZZ… --message msg_01M…", "continue from before that message"],
  ],
  run: sessionFork,
})
