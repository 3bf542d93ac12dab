import { blockedRange } from "@pawl/address-guard"
import { UsageError } from "@pawl/config/usage-error"

/** Returns true for a URL, and false for the name of a provider. */
export function isOrganization(written: string): boolean {
  return /^https?:\/\//i.test(written)
}

/**
 * Returns the name under which an organization is stored: its address without query and fragment. Requires https,
 * except for this machine, because the answer decides which programs are started. Throws UsageError.
 */
export function organizationAddress(written: string): string {
  const url = URL.parse(written)
  if (!url) throw new UsageError(`invalid URL ${written}`, "Example: pawl auth login https://acme.example")
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("The address of an organization holds neither a name nor a password.", "Leave them out.")
  }
  if (url.protocol === "http:" && !isThisMachine(url.hostname)) {
    throw new UsageError(`${url.origin} is asked by https only: what it answers decides what runs here.`, HTTPS)
  }
  return (url.origin + url.pathname).replace(/\/+$/, "")
}

const HTTPS = "Write https:// in front of it."

function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || blockedRange(hostname.replaceAll(/^\[|\]$/g, "")) === "loopback"
}
