/** Returns the name of a resource in prompts: `@server:uri`. */
export function resourceName(server: string, uri: string): string {
  return `${server}:${uri}`
}

/** Finds the server of a resource name; the longest server name wins. Returns undefined if no server matches. */
export function splitResourceName(
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly uri: string } | undefined {
  const server = servers.filter((known) => name.startsWith(`${known}:`)).sort((a, b) => b.length - a.length)[0]
  return server === undefined ? undefined : { server, uri: name.slice(server.length + 1) }
}
