import { expect, it } from "vitest"
import { ollamaAddress } from "./ollama-host.ts"

it.each([
  ["127.0.0.1", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0", "http://127.0.0.1:11434/v1"],
  ["0.0.0.0:8000", "http://127.0.0.1:8000/v1"],
  [":5000", "http://127.0.0.1:5000/v1"],
  ["[::]:5000", "http://[::1]:5000/v1"],
  [" 'gpu.test' ", "http://gpu.test:11434/v1"],
  ["gpu.test:80", "http://gpu.test/v1"],
  ["https://gpu.test/ollama/", "https://gpu.test/ollama/v1"],
  ["http://gpu.test:11434", "http://gpu.test:11434/v1"],
  ["", undefined],
  ["http://", undefined],
])("%j is %s", (host, address) => {
  expect(ollamaAddress(host)).toBe(address)
})
