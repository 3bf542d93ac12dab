import type { DataReader } from "./data-url.ts"

/** A page of text and a figure; scans are larger, and there the limit on pages holds. */
const BYTES_PER_PAGE = 60_000
/** What providers take of one document. */
const MOST_PAGES = 100
/** Larger documents are not searched. */
const LARGEST_SEARCHED = 4_000_000

/** The pages of a PDF: as its first object states them, else those found as plain objects, else by its size. */
export function pdfPages(data: DataReader): number {
  return Math.min(MOST_PAGES, Math.max(1, countedPages(data) ?? Math.round(data.size / BYTES_PER_PAGE)))
}

/** The pages that a PDF states or shows; undefined where they can only be guessed. */
export function countedPages(data: DataReader): number | undefined {
  const stated = /\/Linearized[^>]{0,400}?\/N\s+(\d{1,6})/.exec(data.bytes(0, 1_024).toString("latin1"))?.[1]
  return Number(stated ?? 0) || (data.size <= LARGEST_SEARCHED ? foundPages(data) : 0) || undefined
}

function foundPages(data: DataReader): number {
  const pages = data
    .bytes(0, data.size)
    .toString("latin1")
    .matchAll(/\/Type\s{0,9}\/Page(?![A-Za-z])/g)
  return Array.from(pages).length
}
