import { resolve } from "node:path"
import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { sessionExportOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import { type TextSink, writeDurably } from "../files/durable-file.ts"
import type { Host } from "../host.ts"
import { plural } from "../render/quantity.ts"
import { sessionByID } from "../session/find-session.ts"
import { longWork } from "../storage/long-work.ts"
import { withStorage } from "../storage/with-storage.ts"

export async function sessionExport(
  { options, words }: CommandInput<typeof sessionExportOptions>,
  host: Host,
): Promise<ExitCode> {
  const { output, sanitize, "without-content": withoutContent } = options
  if (output !== undefined && output.endsWith("/")) throw new UsageError(`${output} is a directory: name a file in it.`)
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    const { writeSession } = await import("@pawl/transfer")
    const level = withoutContent ? "content" : "secrets"
    const how = sanitize || withoutContent ? { sanitize: { level } as const } : {}
    return longWork(host, {
      // The document itself may go to the terminal.
      label: output === undefined ? undefined : "exporting",
      work({ signal }) {
        const write = (sink: TextSink) => writeSession(storage, id, sink, { ...how, signal })
        return output === undefined ? write(throttled(host)) : writeDurably(resolve(host.directory, output), write)
      },
      tell({ sessions, messages, parts, blobs, removed }) {
        const [session, message] = [plural(sessions, "session"), plural(messages, "message")]
        const counts = [session, message, plural(parts, "part"), plural(blobs, "blob")].join(", ")
        host.stderr.write(`exported ${counts}${output === undefined ? "" : ` to ${output}`}\n`)
        if (removed) host.stderr.write(`${removedLine(removed)}\n`)
        return exitCodes.success
      },
    })
  })
}

/** To stdout, no faster than it is read. */
function throttled({ stdout }: Host): TextSink {
  let written = 0
  return async (text) => {
    stdout.write(text)
    written += text.length
    if (written < 1_000_000) return
    written = 0
    await stdout.flushed()
  }
}

function removedLine(removed: Readonly<Record<string, number>>): string {
  const { unchecked, ...masked } = removed
  const found = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`)
  const files = unchecked ? `; not looked into: ${plural(unchecked, "binary content", "binary contents")}` : ""
  return `masked: ${found.length > 0 ? found.join(", ") : "nothing was found"}${files}. Look it through before you share it.`
}
