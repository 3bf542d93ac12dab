/** Whether a page may be fetched from a host that is not public. `host`: in lower case, without brackets and port. */
export type AllowHost = (host: string) => boolean

/** `*.example.com` is every host below `example.com`, and not that itself. Entries with a port are none of a host. */
export function allowedHosts(entries: readonly string[]): AllowHost {
  const hosts = entries
    .filter((entry) => !hasPort(entry))
    .map((entry) => entry.toLowerCase().replace(/^\[|\]$|\.$/g, ""))
  return (given) => {
    const host = given.replace(/\.$/, "")
    return hosts.some((each) => {
      return each.startsWith("*.") ? host.endsWith(each.slice(1)) && host.length > each.length - 1 : host === each
    })
  }
}

/** What names one port of a host. */
export function hasPort(entry: string): boolean {
  return /:\d{1,5}$/.test(entry)
}
