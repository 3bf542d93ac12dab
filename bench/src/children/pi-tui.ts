// Shows messages with pi's own terminal UI, as its README does: a component for each message, an editor and a line of status.
import {
  Container,
  Editor,
  Markdown,
  type MarkdownTheme,
  ProcessTerminal,
  Text,
  TuiMainScreen,
} from "@earendil-works/pi-tui"
import { readInput } from "../measure/input.ts"
import { type Plan, play } from "../tui/played.ts"

const plain = (text: string) => text
const bold = (text: string) => `\u001B[1m${text}\u001B[22m`
const theme: MarkdownTheme = {
  ...{
    heading: bold,
    link: plain,
    linkUrl: plain,
    code: plain,
    codeBlock: plain,
    codeBlockBorder: plain,
    quote: plain,
  },
  ...{ quoteBorder: plain, hr: plain, listBullet: plain, bold, italic: plain, strikethrough: plain, underline: plain },
}

await play(readInput() as Plan, async () => {
  const tui = new TuiMainScreen(new ProcessTerminal())
  const messages = new Container()
  const list = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain }
  const editor = new Editor(tui, { borderColor: plain, selectList: list })
  const status = new Text("build · acme/small · 12% of 200k", 0, 0)
  for (const child of [messages, editor, status]) tui.addChild(child)
  tui.setFocus(editor)
  tui.start()
  let answer: Markdown | undefined
  let text = ""
  return {
    addMessage(content) {
      messages.addChild(new Markdown(content, 0, 0, theme))
      tui.requestRender()
    },
    begin() {
      text = ""
      answer = new Markdown("", 0, 0, theme)
      messages.addChild(answer)
    },
    addDelta(delta) {
      text += delta
      answer?.setText(text)
      tui.requestRender()
    },
    end: () => tui.requestRender(),
    async close() {
      tui.stop()
      process.exit(0)
    },
  }
})
