import type { WaitingPrompt } from "@pawl/core"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { plainLine } from "@pawl/plain-text"
import { ago } from "@pawl/terminal-text/quantity"
import { clip } from "@pawl/terminal-text/width"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { shownBy } from "../../session/masked.ts"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, MISSING_SESSION, rawOptions } from "../../command-options.ts"

const sessionQueueOptions = {
  remove: { value: "<id>", summary: "withdraw this prompt: its id, or its name from pawl run --id" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

/** Lists the queued prompts of a session, or withdraws one. */
async function sessionQueue(
  { options, words }: CommandInput<typeof sessionQueueOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr } = host
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    return withEngine(storage, async (engine) => {
      if (options.remove !== undefined) {
        if (!(await engine.withdraw(id, options.remove))) {
          throw new UsageError(`No queued prompt ${options.remove} for session ${id}.`, `See: pawl session queue ${id}`)
        }
        stderr.write("The prompt is withdrawn.\n")
        return exitCodes.success
      }
      const waiting = (await engine.queue(id)).map(shownBy(host, options.raw))
      if (options.format === "json") for (const prompt of waiting) stdout.write(`${JSON.stringify(prompt)}\n`)
      else if (waiting.length === 0) stderr.write(`No queued prompts for session ${id}.\n`)
      else for (const prompt of waiting) stdout.write(`${promptLine(prompt, stdout)}\n`)
      return exitCodes.success
    })
  })
}

function promptLine({ info, parts }: WaitingPrompt, { isTerminal, columns }: Host["stdout"]): string {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  const { id, clientID, delivery, time } = info
  const name = clientID === undefined || clientID === id ? "" : ` (${plainLine(clientID)})`
  const line = `${id}${name}  ${delivery?.mode ?? "queue"}  ${ago(time.created, Date.now())}  ${plainLine(texts.join(" "))}`
  return isTerminal ? clip(line, columns) : line
}

export const command = defineCommand({
  usage: ["session queue [options] <id>"],
  notes: ["Lists prompts of pawl run --steer, --queue and --interrupt that the session has not read yet."],
  words: { min: 1, max: 1, completes: "sessions", missing: MISSING_SESSION },
  options: sessionQueueOptions,
  examples: [["pawl session queue ses_7ZZ… --remove msg_7ZZ…", "withdraw a prompt"]],
  run: sessionQueue,
})
