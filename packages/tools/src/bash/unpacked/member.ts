/** A file that an archive or a patch names. */
export interface Member {
  /** With `/` between the names. */
  readonly path: string
  /** Set for a symbolic link. */
  readonly isLink?: boolean
}

/** Maximum number of members. Archives and patches with more are not parsed. */
export const MAX_MEMBERS = 20_000
