/** A line for each test: its name, and what went wrong. */
export default async function* reporter(events) {
  const count = { passed: 0, failed: 0 }
  for await (const { type, data } of events) {
    if (type === "test:pass") {
      count.passed++
      yield `✔ ${data.name}\n`
    } else if (type === "test:fail") {
      count.failed++
      yield `✖ ${data.name}: ${reason(data.details.error)}\n`
    }
  }
  yield `${count.passed} passed, ${count.failed} failed\n`
}

function reason({ cause }) {
  if (cause?.code !== "ERR_ASSERTION") return String(cause)
  return `expected ${JSON.stringify(cause.expected)}, got ${JSON.stringify(cause.actual)}`
}
