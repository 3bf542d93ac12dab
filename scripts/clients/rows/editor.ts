import { type ClientRow, noCells } from "../features.ts"

/** Editors, which npm does not have. */
export const editorRow: ClientRow = {
  name: "editor",
  title: "Neovim, VS Code",
  cells: noCells(
    "opencode.nvim and its editor are not packages of npm. The extension for VS Code is not either; it opens a terminal with OpenCode's own program in it.",
  ),
}
