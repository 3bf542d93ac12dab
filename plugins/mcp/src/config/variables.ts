export interface FilledText {
  readonly text: string
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[]
}

/** Fills `${NAME}` and `${NAME:-default}`. An empty variable counts as unset if there is a default. */
export function fillVariables(text: string, environment: Readonly<Record<string, string | undefined>>): FilledText {
  const missing: string[] = []
  const filled = text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => {
      const value = environment[name]
      if (fallback !== undefined) return value === undefined || value === "" ? fallback : value
      if (value === undefined) missing.push(name)
      return value ?? whole
    },
  )
  return { text: filled, missing }
}
