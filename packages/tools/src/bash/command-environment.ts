/** What keeps programs from waiting for a person who cannot answer: pagers, editors, password prompts. */
const UNATTENDED = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  // `true` takes a commit's or a rebase's text as it is.
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
}

/** The environment of a command: `given` says more than the defaults, but a terminal there is not. */
export function commandEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  return { ...UNATTENDED, ...given, TERM: "dumb" }
}
