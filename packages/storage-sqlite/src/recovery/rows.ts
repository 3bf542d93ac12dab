import type { Pages } from "./pages.ts"

export type Value = number | string | Buffer | null

export interface Row {
  readonly rowid: number
  readonly values: readonly Value[]
}

const TABLE_LEAF = 0x0d

/**
 * Yields each row on a page that looks like a table leaf, of any table, in page order. Skips and counts incomplete
 * rows. Free pages may still hold deleted rows.
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export function* readRows(pages: Pages, lost: { rows: number; pages: number }): Generator<Row> {
  for (let number = 1; number <= pages.count; number++) {
    const page = pages.read(number)
    if (!page) {
      lost.pages++
      continue
    }
    const start = number === 1 ? 100 : 0
    if (page[start] !== TABLE_LEAF) {
      if (!isKnownPage(page, start)) lost.pages++
      continue
    }
    const cells = page.readUInt16BE(start + 3)
    for (let cell = 0; cell < cells; cell++) {
      const pointer = start + 8 + cell * 2
      const row = pointer + 2 <= page.length ? readCell(pages, page, page.readUInt16BE(pointer)) : undefined
      if (row) yield row
      else lost.rows++
    }
  }
}

/** Returns true for a page of a tree, of free space, of an overflowing row or of the page map. None of them begins with a high byte. */
function isKnownPage(page: Buffer, start: number): boolean {
  const type = page[start] ?? 0
  if (type === 0) return page.some((byte) => byte !== 0)
  return type === 0x02 || type === 0x05 || type === 0x0a || type < 6
}

function readCell(pages: Pages, page: Buffer, offset: number): Row | undefined {
  try {
    const size = readVarint(page, offset)
    const rowid = readVarint(page, offset + size.length)
    const payload = readPayload(pages, page, offset + size.length + rowid.length, size.value)
    const values = payload && readValues(payload)
    return values && { rowid: rowid.value, values }
  } catch (error) {
    // A length or an offset exceeds the page.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readPayload(pages: Pages, page: Buffer, offset: number, size: number): Buffer | undefined {
  const usable = pages.pageSize
  if (size > pages.count * usable) return undefined
  const most = usable - 35
  if (size <= most) return offset + size <= page.length ? page.subarray(offset, offset + size) : undefined
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const rest = least + ((size - least) % (usable - 4))
  const local = rest <= most ? rest : least
  const chunks = [page.subarray(offset, offset + local)]
  let [left, next] = [size - local, page.readUInt32BE(offset + local)]
  while (left > 0) {
    const overflow = next > 0 && next <= pages.count ? pages.read(next) : undefined
    if (!overflow) return undefined
    chunks.push(overflow.subarray(4, 4 + Math.min(left, usable - 4)))
    left -= usable - 4
    next = overflow.readUInt32BE(0)
  }
  return Buffer.concat(chunks)
}

/** https://www.sqlite.org/fileformat2.html#record_format */
function readValues(payload: Buffer): Value[] | undefined {
  const header = readVarint(payload, 0)
  const types: number[] = []
  for (let offset = header.length; offset < header.value;) {
    const type = readVarint(payload, offset)
    types.push(type.value)
    offset += type.length
  }
  let offset = header.value
  const values = types.map((type) => {
    const length = lengthOf(type)
    const value = readValue(payload.subarray(offset, offset + length), type, length)
    offset += length
    return value
  })
  return offset === payload.length ? values : undefined
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type] ?? 0
}

function readValue(bytes: Buffer, type: number, length: number): Value {
  if (bytes.length !== length) throw new RangeError("A value is cut short.")
  if (type === 0) return null
  if (type === 7) return bytes.readDoubleBE(0)
  if (type === 8 || type === 9) return type - 8
  if (type === 6) return Number(bytes.readBigInt64BE(0))
  if (type < 6) return bytes.readIntBE(0, length)
  return type % 2 === 0 ? Buffer.from(bytes) : bytes.toString()
}

function readVarint(bytes: Buffer, offset: number): { value: number; length: number } {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(offset + index)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, length: index + 1 }
  }
  return { value: value * 256 + bytes.readUInt8(offset + 8), length: 9 }
}
