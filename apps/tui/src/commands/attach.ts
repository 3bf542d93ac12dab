import { basename } from "node:path"
import { plainLine } from "@pawl/plain-text"
import { pastedImages } from "../terminal/images.ts"
import type { Command } from "./command.ts"

export const attach: Command = {
  name: "attach",
  description: "Attach an image to the next prompt.",
  argument: "<path>",
  run(ui, argument) {
    if (argument === "") throw new Error("Name an image: /attach shot.png")
    const paths = pastedImages(argument, ui.source.directory, ui.home)
    if (!paths) {
      throw new Error(
        `"${plainLine(argument)}" is not a PNG, JPEG, GIF or WebP file that exists. For other files, write @ and the path in the prompt.`,
      )
    }
    for (const path of paths) ui.attach(path)
    if (!ui.hasEditor) ui.notice(`The next prompt has ${paths.map((path) => plainLine(basename(path))).join(", ")}.`)
  },
}
