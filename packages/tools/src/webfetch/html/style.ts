/** How marks and structure are written. */
export interface TextStyle {
  readonly marks: Readonly<Record<Mark, readonly [open: string, close: string]>>
  readonly hasMarkup: boolean
}

export type Mark = "strong" | "emphasis" | "deleted" | "superscript" | "subscript"

export const markdownStyle: TextStyle = {
  marks: {
    strong: ["**", "**"],
    emphasis: ["*", "*"],
    deleted: ["~~", "~~"],
    superscript: ["<sup>", "</sup>"],
    subscript: ["<sub>", "</sub>"],
  },
  hasMarkup: true,
}

export const plainStyle: TextStyle = {
  // Without a sign, 10 to the power of 6 would become 106.
  marks: { strong: ["", ""], emphasis: ["", ""], deleted: ["", ""], superscript: ["^", ""], subscript: ["", ""] },
  hasMarkup: false,
}
