const ALLOWED = new Set(
  ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "SHELL"].concat(
    // Windows, where case does not matter.
    ["SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE"],
    // The enclosing calls of this process, which also end the processes started here.
    ["PAWL_CALL"],
  ),
)

/**
 * Returns the part of this process's environment that child processes receive. Keys of providers and other secrets are
 * left out.
 */
export function childEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries.filter(([name]) => ALLOWED.has(name.toUpperCase()) || name.startsWith("LC_")))
}
