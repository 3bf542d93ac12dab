/** Clocks for the age of a blob: `uptime` within one boot, `now` for blobs of an earlier boot. */
export interface BlobClock {
  /** Monotonic milliseconds that all processes of a boot share. */
  readonly uptime: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Id of the boot; "unknown" if the system does not provide it. */
  readonly boot: string
}

export interface BlobAge {
  readonly put: number
  readonly boot: string
  readonly uptime: number
}

export function ageNow({ uptime, now, boot }: BlobClock): BlobAge {
  return { put: now(), boot, uptime: uptime() }
}

/** SQL that is true for a blob put `minAge` milliseconds ago or earlier, and its values. */
export function isOlderThan(
  minAge: number,
  { uptime, now, boot }: BlobClock,
): { sql: string; values: (string | number)[] } {
  return {
    sql: "CASE WHEN boot = ? AND boot <> 'unknown' THEN uptime <= ? ELSE put <= ? END",
    values: [boot, uptime() - minAge, now() - minAge],
  }
}
