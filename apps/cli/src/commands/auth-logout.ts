import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { openAuthFile } from "../auth/auth-file.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "../render/plain.ts"
import { readPlaces } from "../settings/settings.ts"
import type { authLogoutOptions } from "./auth.form.ts"

/** Forgets what is kept for a provider. */
export async function authLogout({ words }: CommandInput<typeof authLogoutOptions>, host: Host): Promise<ExitCode> {
  const [provider = ""] = words
  const file = openAuthFile(await readPlaces(host), host)
  if (!(await file.remove(provider))) {
    const known = [...(await file.all()).keys()].join(", ")
    throw new UsageError(
      `Nothing is kept for "${provider}". ${known === "" ? "Nothing is kept at all." : `Kept: ${known}.`}`,
      "Where a key comes from: pawl auth list",
    )
  }
  host.stdout.write(`${plainLine(`Signed out of "${provider}".`)}\n`)
  return exitCodes.success
}
