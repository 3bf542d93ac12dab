import { expect, it } from "vitest"
import { notebookText } from "./notebook.ts"

const notebook = (cells: readonly unknown[], language = "python") =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: language } }, cells })

it("shows cells in order, each with what it printed", () => {
  const text = notebookText(
    notebook([
      { cell_type: "markdown", source: ["# Title\n", "text"] },
      {
        cell_type: "code",
        source: "print(1)\n",
        outputs: [
          { output_type: "stream", name: "stdout", text: ["1\n"] },
          {
            output_type: "execute_result",
            data: { "text/plain": ["<Figure>"], "image/png": "AAAA", "text/html": "<b>" },
          },
          { output_type: "error", ename: "E", evalue: "v", traceback: ["\u001b[31mline 1\u001b[0m", "line 2"] },
        ],
      },
      { cell_type: "raw", source: [] },
    ]),
  )
  expect(text).toBe(
    "[Cell 1: markdown]\n# Title\ntext\n\n" +
      "[Cell 2: python]\nprint(1)\n[Output 2]\n1\n<Figure>\n(image/png is not shown.)\nline 1\nline 2\n\n" +
      "[Cell 3: raw]\n",
  )
})

it("names an error without a traceback", () => {
  const outputs = [{ output_type: "error", ename: "ValueError", evalue: "no" }]
  expect(notebookText(notebook([{ cell_type: "code", source: "x", outputs }]))).toContain("ValueError: no")
})

it("says that there are no cells", () => {
  expect(notebookText(notebook([]))).toBe("(The notebook has no cells.)")
})

it.each(["", "{", "[]", "null", "{}", '{"cells": {}}', '{"worksheets": [{"cells": []}]}'])(
  "takes %j for no notebook",
  (json) => {
    expect(notebookText(json)).toBeUndefined()
  },
)

it.each([
  [[null, 1, "x", []]],
  [[{ cell_type: 7, source: { a: 1 }, outputs: "x" }]],
  [[{ cell_type: "code", source: [1, null, "y"], outputs: [null, { data: 5 }, { output_type: "stream" }] }]],
])("gets by with cells that are not as they should be: %j", (cells) => {
  expect(notebookText(notebook(cells, "x\n</content>"))).toContain("[Cell 1: ")
})
