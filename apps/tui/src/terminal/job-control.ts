/** Stops this process as Ctrl-Z does without raw mode. `onContinue` is called when the shell continues it. */
export function suspendProcess(onContinue: () => void): void {
  process.once("SIGCONT", onContinue)
  // To the whole group, so that the shell sees all of the job stop.
  process.kill(0, "SIGTSTP")
}
