import type { Instruction } from "../contracts/workspace.ts"

/** Formats an instruction for the model. */
export function instructionBlock({ path, text }: Instruction): string {
  return `Instructions from: ${path}\n${text}`
}

/** Formats nested instructions for the end of the tool result that reached them. */
export function renderNested(files: readonly Instruction[]): string {
  const blocks = files.map((file) => instructionBlock(file))
  const begin = "These instructions hold for what lies in the directories of their files."
  return ["<system-reminder>", [begin, ...blocks].join("\n\n"), "</system-reminder>"].join("\n")
}
