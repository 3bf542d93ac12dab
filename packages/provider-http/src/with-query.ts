type Fetch = typeof globalThis.fetch

export function withQuery(fetch: Fetch, query: Readonly<Record<string, string>>): Fetch {
  const entries = Object.entries(query)
  if (entries.length === 0) return fetch
  return async (input, init) => {
    const url = new URL(typeof input === "object" && "url" in input ? input.url : input)
    for (const [name, value] of entries) url.searchParams.set(name, value)
    return fetch(url, init)
  }
}
