/** How a prompt names a resource: `@server:uri`. */
export function resourceName(server: string, uri: string): string {
  return `${server}:${uri}`
}

/** Which server's it is; the longest name counts. Undefined: none of these servers'. */
export function splitResourceName(
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly uri: string } | undefined {
  const server = servers.filter((known) => name.startsWith(`${known}:`)).sort((a, b) => b.length - a.length)[0]
  return server === undefined ? undefined : { server, uri: name.slice(server.length + 1) }
}
