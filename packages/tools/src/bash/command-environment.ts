/** Stops programs from waiting for user input: pagers, editors, password prompts. */
const UNATTENDED = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  // `true` accepts the default text of a commit or rebase.
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
}

/** Returns a command's environment. `variables` override the defaults, except TERM. */
export function commandEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  return { ...UNATTENDED, ...variables, TERM: "dumb" }
}
