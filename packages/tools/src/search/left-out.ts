import { displayName } from "../display-name.ts"

/** Names that are shown of more. */
const SHOWN = 3

/** What is said of files that a search left out, as notes on lines of their own. */
export function leftOutNotes({
  asked = new Set(),
  denied,
  hasHidden = false,
}: {
  /** Those that a person would be asked about. */
  readonly asked?: ReadonlySet<string>
  readonly denied: ReadonlySet<string>
  /** Whether hidden files were left out, which do not belong to a project that holds the home directory. */
  readonly hasHidden?: boolean
}): readonly string[] {
  const shown = [...asked].slice(0, SHOWN).map(displayName).join(", ")
  const more = asked.size > SHOWN ? " and others" : ""
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
