import type { MessageWithParts } from "./message.ts"

/** Returns the texts that the model wrote in a message, with an empty line between them, or "". */
export function answerText({ parts }: Pick<MessageWithParts, "parts">): string {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic && !part.ignored ? [part.text] : []))
  return texts
    .filter((text) => text.trim() !== "")
    .join("\n\n")
    .trim()
}
