/** Returns true if a page may be fetched from a private host. `host` is in lower case, without brackets and port. */
export type AllowHost = (host: string) => boolean

/** Returns a check for hosts. `*.example.com` matches every host below `example.com`, not that host itself. Ignores entries with a port. */
export function allowedHosts(entries: readonly string[]): AllowHost {
  const hosts = entries
    .filter((entry) => !hasPort(entry))
    .map((entry) => entry.toLowerCase().replace(/^\[|\]$|\.$/g, ""))
  return (name) => {
    const host = name.replace(/\.$/, "")
    return hosts.some((each) => {
      return each.startsWith("*.") ? host.endsWith(each.slice(1)) && host.length > each.length - 1 : host === each
    })
  }
}

/** Returns true if the entry names a port. */
export function hasPort(entry: string): boolean {
  return /:\d{1,5}$/.test(entry)
}
