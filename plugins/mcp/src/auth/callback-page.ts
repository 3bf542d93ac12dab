/** Returns the page that the browser shows at the end. Escapes both texts, because they are not trusted. */
export function callbackPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>body { font: 1.1rem system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</html>
`
}

/** The page runs and loads nothing, and does not send its address, which contains a code, to others. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  connection: "close",
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
