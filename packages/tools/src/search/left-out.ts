import { displayName } from "../display-name.ts"

/** Number of names in a note. */
const MAX_SHOWN_NAMES = 3

/** Notes for the model about files that a search left out. */
export function leftOutNotes({
  asked = new Set(),
  denied,
  hasHidden = false,
}: {
  /** Files that need a user's approval. */
  readonly asked?: ReadonlySet<string>
  readonly denied: ReadonlySet<string>
  /** Set if hidden files of the home directory were left out. */
  readonly hasHidden?: boolean
}): readonly string[] {
  const shown = [...asked].slice(0, MAX_SHOWN_NAMES).map(displayName).join(", ")
  const more = asked.size > MAX_SHOWN_NAMES ? " and others" : ""
  return [
    ...(asked.size > 0
      ? [`(${files(asked)} left out, which may be read only after a question: ${shown}${more}. Give one as path.)`]
      : []),
    ...(denied.size > 0 ? [`(${files(denied)} left out, which may not be read: a rule denies it.)`] : []),
    ...(hasHidden ? ["(What is hidden in the home directory is left out. Give its name as path.)"] : []),
  ]
}

function files({ size }: ReadonlySet<string>): string {
  return size === 1 ? "1 file was" : `${size} files were`
}
