import type { DataReader } from "./data-url.ts"

/** Typical size of a page with text and a figure. Scans are larger, but for them the limit on pages applies. */
const BYTES_PER_PAGE = 60_000
/** Maximum pages that providers accept in one document. */
const MAX_PAGES = 100
/** Bytes; larger documents are not searched. */
const MAX_SEARCHED_BYTES = 4_000_000

/** Returns the pages of a PDF: as its first object states them, else as counted in plain objects, else by its size. */
export function pdfPages(data: DataReader): number {
  return Math.min(MAX_PAGES, Math.max(1, countedPages(data) ?? Math.round(data.size / BYTES_PER_PAGE)))
}

/** Returns the pages that a PDF states or that can be counted; undefined if they can only be guessed. */
export function countedPages(data: DataReader): number | undefined {
  const stated = /\/Linearized[^>]{0,400}?\/N\s+(\d{1,6})/.exec(data.bytes(0, 1_024).toString("latin1"))?.[1]
  return Number(stated ?? 0) || (data.size <= MAX_SEARCHED_BYTES ? foundPages(data) : 0) || undefined
}

function foundPages(data: DataReader): number {
  const pages = data
    .bytes(0, data.size)
    .toString("latin1")
    .matchAll(/\/Type\s{0,9}\/Page(?![A-Za-z])/g)
  return Array.from(pages).length
}
