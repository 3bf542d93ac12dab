const MARKS: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
]
/** A page may name its encoding in its first bytes. */
const HEAD_BYTES = 1024
const IN_HTML = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i
const IN_XML = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i

/**
 * Returns the encoding in lower case: from the byte order mark, the server, or the document, in this order. Default:
 * UTF-8.
 */
export function textEncoding(bytes: Buffer, charset: string | undefined, isMarkup: boolean): string {
  const mark = MARKS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte))
  if (mark) return mark.encoding
  const declared = knownEncoding(charset)
  if (declared !== undefined) return declared
  if (!isMarkup) return "utf-8"
  const head = bytes.toString("latin1", 0, HEAD_BYTES)
  const named = knownEncoding(IN_XML.exec(head)?.[1] ?? IN_HTML.exec(head)?.[1])
  // The declaration was readable as ASCII, so the text is not UTF-16.
  return named === undefined || named.startsWith("utf-16") ? "utf-8" : named
}

/** Drops the byte order mark. Undecodable bytes become U+FFFD. */
export function decodeText(bytes: Buffer, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes)
}

function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    // Unknown label: use the next source.
    return undefined
  }
}
