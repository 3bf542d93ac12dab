/** The bytes of a base64 `data:` URL, decoded on demand. */
export interface DataReader {
  /** Total size in bytes. */
  readonly size: number
  /** Returns bytes from `offset` on; fewer than `length` at the end of the data. */
  bytes(offset: number, length: number): Buffer
}

/** Opens a `data:` URL; undefined if it has no base64 data. */
export function readDataURL(url: string): DataReader | undefined {
  if (!url.startsWith("data:")) return undefined
  const comma = url.indexOf(",")
  if (comma < 0 || !url.slice(0, comma).endsWith(";base64")) return undefined
  const start = comma + 1
  const padding = url.endsWith("==") ? 2 : url.endsWith("=") ? 1 : 0
  return {
    size: Math.floor(((url.length - start - padding) * 3) / 4),
    bytes(offset, length) {
      // Four characters encode three bytes, so decoding can begin at any multiple of four.
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
