/** Milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Stops this process as Ctrl-Z does without raw mode. `onContinue` is called when the shell continues it. */
export function suspendProcess(onContinue: () => void): void {
  // Without an open terminal, nothing else might keep the process alive.
  const alive = setTimeout(() => undefined, MAX_TIMER_MS)
  process.once("SIGCONT", () => {
    clearTimeout(alive)
    onContinue()
  })
  // To the whole group, so that the shell sees all of the job stop.
  process.kill(0, "SIGTSTP")
}
