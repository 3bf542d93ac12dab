import type { FileContent, ModelMessage, ModelRequest } from "@pawl/core/provider"
import { image, pdf } from "./files.ts"

/** The files of the conversation below, by name. `old` and `shot` were answered before. */
export const files = {
  old: image("old.png", "image/png", { width: 2_400, height: 1_000 }),
  shot: image("shot.png", "image/png", { width: 800, height: 600 }),
  photo: image("photo.jpg", "image/jpeg", { width: 9_000, height: 4_000, bytes: 4_000_000 }),
  report: pdf("report.pdf", 400_000),
  diagram: image("diagram.gif", "image/gif", { width: 640, height: 480 }),
} satisfies Record<string, FileContent>

export type FileName = keyof typeof files

/**
 * Two system blocks, an image of the user, two calls of which the second returns an image, an answer, and then two
 * messages of the user in a row, with three files.
 */
export function talk(without: readonly FileName[] = []): Pick<ModelRequest, "system" | "messages"> {
  const some = (...names: FileName[]) => names.filter((name) => !without.includes(name)).map((name) => files[name])
  const messages: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "What is this?" }, ...some("old")] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool-call", callID: "c1", name: "read", input: { path: "a.ts" } },
        { type: "tool-call", callID: "c2", name: "read", input: { path: "shot.png" } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", callID: "c1", name: "read", output: "export {}", isError: false },
        {
          ...{ type: "tool-result", callID: "c2", name: "read", output: "An image.", isError: false },
          attachments: some("shot"),
        },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "A window." }] },
    { role: "user", content: [{ type: "text", text: "And these?" }, ...some("photo", "report")] },
    { role: "user", content: [{ type: "text", text: "This one too." }, ...some("diagram")] },
  ]
  return { system: ["You are pawl.", "Today."], messages }
}
