/** Finds one kind of secret. Masks the group `secret`, or the whole match without such a group. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** Returns true if the match is not a secret. */
  readonly unless?: (secret: string) => boolean
}
