/** Finds one kind of secret; the group `secret` is what is masked, without it the whole match. */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
  /** Told the secret: whether it is none after all. */
  readonly unless?: (secret: string) => boolean
}
