/**
 * Runs in a worker thread, as CommonJS. Its data is a shared counter that the main thread increments while its event loop
 * turns. If the counter stands still from one check to the next, the main thread is blocked: an inspector session then
 * emits the event "pawl:blocked" there, in the middle of whatever runs.
 */
export const watchdogScript = `
const { Session } = require("node:inspector")
const { workerData: { beats, checkMs } } = require("node:worker_threads")
let last
let isTold = false
setInterval(() => {
  const beat = Atomics.load(beats, 0)
  if (beat !== last) isTold = false
  else if (!isTold) {
    isTold = true
    const session = new Session()
    session.connectToMainThread()
    const expression = 'process.emit("pawl:blocked", ' + beat + ')'
    session.post("Runtime.evaluate", { expression }, () => session.disconnect())
  }
  last = beat
}, checkMs)
`
