import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/against.ts",
  "src/difference.ts",
  "src/from-document.ts",
  "src/given-system.ts",
  "src/live-tools.ts",
  "src/normalize.ts",
  "src/people.ts",
  "src/play.ts",
  "src/recorded-results.ts",
  "src/recorded-tools.ts",
  "src/recorder.ts",
  "src/recording-file.ts",
  "src/rehearse.ts",
  "src/run-recording.ts",
  "src/sanitize.ts",
  "src/sanitized-line.ts",
  "src/session-map.ts",
  "src/shape.ts",
  "src/usage-of.ts",
])
