/** Maximum size of `data` per statement. A limit on the number of records alone would not limit their size. */
export const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Returns SQL for the first rows, at least one, up to about `bytes` of `data`; `counted` is the number of candidates.
 * Sizes are in the rows' headers, so the other rows are not read.
 */
export function firstBytes(rows: string, order: string, bytes: number = BATCH_BYTES): string {
  return `SELECT * FROM (
    SELECT sized.*, count(*) OVER () AS counted, coalesce(sum(octet_length(sized.data)) OVER (
      ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM (${rows}) sized) chosen WHERE bytes_before < ${bytes}`
}
