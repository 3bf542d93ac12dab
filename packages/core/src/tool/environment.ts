const ALLOWED = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "SHELL",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
]

/** What child processes may know of this process's environment. Keys of providers and other secrets stay out. */
export function childEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).filter(([name]) => ALLOWED.includes(name) || name.startsWith("LC_"))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
