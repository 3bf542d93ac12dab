import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { openAuthFile } from "@pawl/credentials/auth-file"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { isOrganization, organizationAddress } from "@pawl/runtime/organization/organization-address"
import { changeOrganizations } from "@pawl/runtime/organization/change-organizations"
import { plainLine } from "@pawl/plain-text"
import { readDataLocations } from "@pawl/runtime/config/settings"

const authLogoutOptions = {} as const

/** Removes the credentials of a provider or an organization. */
async function authLogout({ words }: CommandInput<typeof authLogoutOptions>, host: Host): Promise<ExitCode> {
  const [written = ""] = words
  const isAddress = isOrganization(written)
  const provider = isAddress ? organizationAddress(written) : written
  const locations = await readDataLocations(host)
  const file = openAuthFile(locations, host)
  if (!(await file.remove(provider))) {
    const known = [...(await file.all()).keys()].join(", ")
    throw new UsageError(
      `No credentials for "${provider}". ${known === "" ? "No credentials are saved." : `Saved: ${known}.`}`,
      "List credentials: pawl auth list",
    )
  }
  if (isAddress) {
    await changeOrganizations(
      locations.dataDirectory,
      (kept) => new Map([...kept].filter(([name]) => name !== provider)),
    )
  }
  host.stdout.write(`${plainLine(`Signed out of "${provider}".`)}\n`)
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["auth logout <provider>"],
  notes: [
    "Removes the provider's credentials from this machine. Tokens may stay valid until the provider revokes them.",
  ],
  words: { min: 1, max: 1, missing: "missing provider; list them: pawl auth list" },
  options: authLogoutOptions,
  examples: [["pawl auth logout openai", "remove the key of openai"]],
  run: authLogout,
})
