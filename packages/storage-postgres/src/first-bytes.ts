/** Amount of `data` per statement. A limit on the number of records alone would not limit their size. */
export const BATCH_BYTES = 4 * 1024 * 1024

/**
 * SQL for the first of some rows, at least one, whose `data` comes to about so many bytes; `counted` is how many there were.
 * Sizes stand in the rows' heads, so that what is left out is not read.
 */
export function firstBytes(rows: string, order: string, bytes: number = BATCH_BYTES): string {
  return `SELECT * FROM (
    SELECT sized.*, count(*) OVER () AS counted, coalesce(sum(octet_length(sized.data)) OVER (
      ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM (${rows}) sized) chosen WHERE bytes_before < ${bytes}`
}
