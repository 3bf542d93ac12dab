// A page with a long base URL could make all of its links long.
const MAX_LENGTH = 2000

/** Resolves the addresses in a page. */
export interface PageAddresses {
  /** Sets the base of relative addresses. Only the first call counts. */
  setBase(address: string): void
  /** Returns undefined if the address is too long or does not lead to another page: a fragment, a script, data. */
  absolute(address: string | undefined): string | undefined
}

export function createPageAddresses(page: URL): PageAddresses {
  let base: URL | undefined
  return {
    setBase(address) {
      const url = URL.parse(address, page.href)
      if (url && isLink(url) && url.href.length <= MAX_LENGTH) base ??= url
    },
    absolute(address) {
      if (address === undefined) return undefined
      const url = URL.parse(address.trim(), (base ?? page).href)
      if (!url || !isLink(url) || isWithinPage(url, page)) return undefined
      if (url.href.length > MAX_LENGTH) return undefined
      // A parenthesis or a space would end the link in Markdown.
      return url.href.replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    },
  }
}

function isLink({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:" || protocol === "mailto:"
}

function isWithinPage(url: URL, page: URL): boolean {
  return url.hash !== "" && url.href.slice(0, -url.hash.length) === page.href
}
