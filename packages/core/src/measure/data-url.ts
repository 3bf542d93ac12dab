/** The bytes behind a base64 `data:` URL, decoded only where they are looked at. */
export interface DataReader {
  /** Of the whole, in bytes. */
  readonly size: number
  /** Shorter than asked for where the data ends. */
  bytes(offset: number, length: number): Buffer
}

/** Undefined where the URL holds no base64 data. */
export function readDataURL(url: string): DataReader | undefined {
  if (!url.startsWith("data:")) return undefined
  const comma = url.indexOf(",")
  if (comma < 0 || !url.slice(0, comma).endsWith(";base64")) return undefined
  const start = comma + 1
  const padding = url.endsWith("==") ? 2 : url.endsWith("=") ? 1 : 0
  return {
    size: Math.floor(((url.length - start - padding) * 3) / 4),
    bytes(offset, length) {
      // Four characters are three bytes, so decoding can begin at any multiple of them.
      const group = Math.floor(offset / 3)
      const end = Math.ceil((offset + length) / 3)
      const decoded = Buffer.from(url.slice(start + group * 4, start + end * 4), "base64")
      return decoded.subarray(offset - group * 3, offset - group * 3 + length)
    },
  }
}

/** Returns the length of the data in base64. */
export function encodedBytes({ size }: Pick<DataReader, "size">): number {
  return Math.ceil(size / 3) * 4
}
