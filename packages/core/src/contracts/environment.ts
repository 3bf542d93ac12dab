const ALLOWED = new Set(
  ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "SHELL"].concat(
    // Windows, where names come in any case.
    ["SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE"],
    // The calls that this process runs in, which end all that is started in their name.
    ["PAWL_CALL"],
  ),
)

/** What child processes may know of this process's environment. Keys of providers and other secrets stay out. */
export function childEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries.filter(([name]) => ALLOWED.has(name.toUpperCase()) || name.startsWith("LC_")))
}
