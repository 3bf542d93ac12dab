import { setTimeout as delay } from "node:timers/promises"
import { importPackage } from "./packages.ts"
import { opencode } from "./opencode.ts"
import { startProgram } from "./process.ts"
import { WEB_ORIGIN, type World } from "./world.ts"

/** A page of the browser, as far as it is used here. */
export interface Page {
  goto(url: string, options?: object): Promise<unknown>
  evaluate<T>(script: string): Promise<T>
  evaluateOnNewDocument(script: string): Promise<unknown>
  setRequestInterception(value: boolean): Promise<void>
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>
  screenshot(options: { readonly path: `${string}.png` }): Promise<unknown>
  click(selector: string): Promise<void>
  on(event: "request", handle: (request: InterceptedRequest) => void): void
  on(event: "console", handle: (message: { text(): string }) => void): void
  readonly keyboard: {
    type(text: string, options?: { readonly delay: number }): Promise<void>
    press(key: string): Promise<void>
  }
}

interface InterceptedRequest {
  url(): string
  continue(): Promise<void>
  abort(): Promise<void>
  respond(answer: { readonly status: number; readonly headers: object; readonly body: Uint8Array }): Promise<void>
}

interface Puppeteer {
  readonly default: {
    launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
  }
}

interface Chromium {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> }
}

/**
 * Opens a browser whose page gets OpenCode's web app from the program of OpenCode, under an origin of its own. Everything
 * else goes to the servers that the app names.
 */
export async function openPage(world: World): Promise<Page> {
  const { packages } = world
  const [{ default: puppeteer }, { default: chromium }] = await Promise.all([
    importPackage<Puppeteer>(packages, "puppeteer-core"),
    importPackage<Chromium>(packages, "@sparticuz/chromium"),
  ])
  const serve = startProgram(world, [...opencode(world), "serve", "--port", "0"])
  const files = await world.until("the address of opencode serve", () => {
    return /listening on (http:\/\/\S+)/.exec(serve.output())?.[1]
  })
  const browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    ...{ args: [...chromium.args], headless: "shell", env: world.environment },
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  })
  world.atEnd(() => browser.close())
  const page = await browser.newPage()
  await page.setViewport({ width: 1400, height: 900 })
  await page.setRequestInterception(true)
  // A page that is closed has requests that nothing answers.
  page.on("request", (request) => void answer(request, files).catch(() => undefined))
  return page
}

async function answer(request: InterceptedRequest, files: string): Promise<void> {
  const { origin, pathname, protocol, hostname } = new URL(request.url())
  if (origin === WEB_ORIGIN) {
    const response = await fetch(`${files}${pathname}`)
    const body = new Uint8Array(await response.arrayBuffer())
    const type = response.headers.get("content-type") ?? "application/octet-stream"
    await request.respond({ status: response.status, headers: { "content-type": type }, body })
  } else if (protocol.startsWith("http") && hostname !== "127.0.0.1") await request.abort()
  else await request.continue()
}

/** Returns the text that the page shows. */
export async function textOf(page: Page): Promise<string> {
  return page.evaluate<string>("document.body.innerText")
}

export async function shows(world: World, page: Page, words: string | RegExp): Promise<void> {
  try {
    await world.until(String(words), async () => {
      const text = await textOf(page)
      return typeof words === "string" ? text.includes(words) : words.test(text)
    })
  } catch (error) {
    throw new Error(`${(error as Error).message} on the page:\n${await textOf(page)}`, { cause: error })
  }
}

/** Waits until the app has drawn what it shows. */
export const pause = (ms = 500) => delay(ms)
