import { type ClientRow, noCells } from "../features.ts"

/** Clients that npm does not have. */
export const editorRows: readonly ClientRow[] = [
  {
    name: "opencode.nvim",
    title: "opencode.nvim (Neovim)",
    cells: noCells("Neovim and its plugins are not packages of npm."),
  },
  {
    name: "vscode",
    title: "OpenCode for VS Code",
    cells: noCells("The extension is not a package of npm. It opens a terminal with OpenCode's own program in it."),
  },
]
