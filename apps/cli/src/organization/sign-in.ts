import { UsageError } from "../arguments/usage-error.ts"
import { openAuthFile } from "@pawl/credentials/auth-file"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"
import { canAsk, confirm } from "../session/confirm.ts"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { offerLines } from "./offer-lines.ts"
import { organizationAddress } from "@pawl/runtime/organization/organization-address"
import { layerOfOrganization } from "@pawl/runtime/organization/organization-config"
import { changeOrganizations } from "@pawl/runtime/organization/change-organizations"
import { runTokenCommand } from "@pawl/runtime/organization/run-token-command"
import { fetchWellKnown } from "@pawl/runtime/organization/well-known"

const DEADLINE = 15_000

export interface OrganizationSignIn {
  /** As it was typed. */
  readonly written: string
  /** Accepts what it sets without a question. */
  readonly isAccepted: boolean
  /** The variable that holds the token, instead of the organization's own command. */
  readonly tokenVariable?: string | undefined
}

/** Shows what an organization configures, asks, and keeps it with the sign-in. */
export async function signInToOrganization(
  { written, isAccepted, tokenVariable }: OrganizationSignIn,
  host: Host,
): Promise<ExitCode> {
  const { environment, stderr, stdout } = host
  const name = organizationAddress(written)
  const tokenValue = tokenVariable === undefined ? undefined : environment[tokenVariable]?.trim()
  if (tokenVariable !== undefined && !tokenValue) {
    throw new UsageError(`--key-env names ${tokenVariable}, and that is not set.`)
  }
  const { dataDirectory } = await readDataLocations(host)
  const stop = listenForStop(host, () => performance.now())
  try {
    const found = await fetchWellKnown(name, { environment, deadline: DEADLINE, signal: stop.signal })
    const { address, config, auth } = found
    const layer = await layerOfOrganization({ address, config })
    for (const line of offerLines(found, layer, stderr.columns)) stderr.write(`${line}\n`)
    if (!isAccepted) {
      if (!canAsk(host)) throw new UsageError("Confirmation needed, but stdin is not a terminal.", ACCEPT)
      if (!(await confirm("Accept that, and sign in?", { host, stop }))) {
        stderr.write("The sign-in was canceled.\n")
        return exitCodes.failed
      }
    }
    const token = tokenValue ?? (auth ? await runTokenCommand(auth.command, host, stop.signal) : "")
    const tokenName = auth?.env
    await openAuthFile({ dataDirectory }, host).set(name, { type: "wellknown", key: tokenName ?? "", token })
    const kept = { address, config, ...(tokenName === undefined ? {} : { tokenName }), checkedAt: Date.now() }
    await changeOrganizations(dataDirectory, (all) => new Map([...all, [name, kept]]))
    stdout.write(`${plainLine(`Signed in to ${name}. Its configuration counts below your own.`)}\n`)
    return exitCodes.success
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    throw error
  } finally {
    stop.dispose()
  }
}

const ACCEPT = "To accept it all the same: pawl auth login <url> --yes"
