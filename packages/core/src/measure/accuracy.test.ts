import { readdirSync, readFileSync } from "node:fs"
import * as fc from "fast-check"
import { countTokens as countCL100K } from "gpt-tokenizer/encoding/cl100k_base"
import { countTokens as countO200K } from "gpt-tokenizer/encoding/o200k_base"
import { describe, expect, it } from "vitest"
import type { ModelMessage, ModelRequest } from "../contracts/model.ts"
import { type Calibration, defaultCalibration, observe } from "./calibration.ts"
import { createMeasure, totalBytes } from "./measure.ts"
import { type LastUsage, preflight } from "./measured-request.ts"

type Kind = "code" | "prose" | "json" | "cjk"

const folder = new URL("../compaction/", import.meta.url)
const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"))
const code = sources.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n")

const words = `the a each request model answer history while before after between which nobody everything window agent
reads writes keeps measures compares forgets remembers describes carefully slowly again message provider directory file
summary storage network because although whenever it they we result output permission question failing test`.split(
  /\s+/,
)

const sentences = [
  "会话的历史在每一步之前重新读取,因为模型只能看到我们发送给它的内容。",
  "工具的输出太长时会被截断,全文保存七天,代理可以用搜索找到它。",
  "如果请求超过窗口的大小,引擎会先清除旧的输出,然后再生成摘要。",
  "テストが失敗した場合は、エラーメッセージを読んで原因を確認してください。",
  "ファイルを編集する前に、必ず現在の内容を読み込む必要があります。",
  "この関数は呼び出されるたびに新しい値を返し、状態を変更しません。",
  "모델이 응답하기 전에 요청의 크기를 측정하고 남은 공간을 확인합니다.",
  "사용자가 작업을 취소하면 실행 중인 모든 프로세스가 즉시 종료됩니다.",
]

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** About so many characters. */
function textOf(kind: Kind, length: number, random: () => number): string {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  if (kind === "code") {
    const start = Math.floor(random() * Math.max(1, code.length - length))
    return code.slice(start, start + length)
  }
  let text = kind === "json" ? "[" : ""
  while (text.length < length) {
    if (kind === "prose") text += `${pick(words)}${random() < 0.1 ? ". " : " "}`
    else if (kind === "cjk") text += pick(sentences)
    else {
      const id = Math.floor(random() * 2 ** 32).toString(16)
      text += `${JSON.stringify({ id, name: pick(words), size: Math.floor(random() * 1e6), ok: random() < 0.5 })},`
    }
  }
  return text
}

interface Provider {
  readonly count: (text: string) => number
  /** What its tokenizer makes of one token of ours. */
  readonly inflation: number
  /** Tokens that it adds to each request, and to each message. */
  readonly hidden: number
  readonly frame: number
}

interface Conversation {
  readonly seed: number
  readonly main: Kind
  readonly provider: Provider
}

interface Errors {
  /** Of the preflight, from the sixth turn on. */
  readonly next: number[]
  /** Of bytes per token alone, as behind a cut. */
  readonly whole: number[]
  /** Whether the margin was enough: 1 or 0. */
  readonly covered: number[]
}

function converse({ seed, main, provider }: Conversation, errors: Errors): void {
  const random = randomFrom(seed)
  const size = (most: number) => Math.floor(200 * (most / 200) ** random())
  const kind = (): Kind =>
    random() < 0.7 ? main : (["code", "prose", "json", "cjk"] as const)[Math.floor(random() * 4)]!
  const measure = createMeasure()
  const counted = new WeakMap<object, number>()
  const tokensOf = (key: object, text: () => string) => {
    if (!counted.has(key)) counted.set(key, Math.round(provider.count(text()) * provider.inflation) + provider.frame)
    return counted.get(key) ?? 0
  }
  const system = [textOf("prose", 1_000 + size(10_000), random)]
  const description = textOf("prose", 200, random)
  const properties = { path: { type: "string", description: textOf("prose", 60, random) } }
  const tools = Array.from({ length: 4 + Math.floor(random() * 20) }, (_, n) => {
    return { name: `tool_${n}`, description, inputSchema: { type: "object", properties } }
  })
  const messages: ModelMessage[] = []
  let calibration: Calibration = defaultCalibration({})
  let last: LastUsage | undefined
  for (let turn = 1; turn <= 15; turn++) {
    const input = { path: `src/${turn}.ts` }
    messages.push(
      turn === 1
        ? { role: "user", content: [{ type: "text", text: textOf(main, size(2_000), random) }] }
        : {
            role: "tool",
            content: [
              {
                type: "tool-result",
                callID: "c",
                name: "tool_1",
                output: textOf(kind(), size(30_000), random),
                isError: false,
              },
            ],
          },
    )
    const request = { system, tools, messages } satisfies Partial<ModelRequest>
    const observed = [
      tokensOf(system, () => system.join("\n")),
      tokensOf(tools, () =>
        tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.inputSchema)).join("\n"),
      ),
      ...messages.map((message) => tokensOf(message, () => textIn(message))),
    ].reduce((sum, tokens) => sum + tokens, provider.hidden)
    const measurement = measure.request(request, {})
    const expected = preflight(measurement, calibration, last)
    if (turn > 5) {
      errors.next.push(Math.abs(expected.tokens / observed - 1))
      errors.whole.push(Math.abs(preflight(measurement, calibration).tokens / observed - 1))
      errors.covered.push(observed <= expected.tokens + expected.margin ? 1 : 0)
    }
    const bytes = totalBytes(measurement)
    calibration = observe(calibration, { bytes, media: 0, observed, estimate: expected.tokens })
    last = { bytes, observed }
    const said = { type: "text", text: textOf("prose", size(1_500), random) } as const
    messages.push({ role: "assistant", content: [said, { type: "tool-call", callID: "c", name: "tool_1", input }] })
  }
}

function textIn({ content }: ModelMessage): string {
  return content
    .map((item) => {
      if (item.type === "tool-result") return item.output
      if (item.type === "tool-call") return `${item.name} ${JSON.stringify(item.input)}`
      return item.type === "file" ? "" : item.text
    })
    .join("\n")
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN
}

describe.each<Kind>(["code", "prose", "json", "cjk"])("conversations of %s, with some of the others", (main) => {
  it("are expected within 10 % in the median and 25 % in 95 of 100, after five turns", () => {
    const errors: Errors = { next: [], whole: [], covered: [] }
    const provider = fc.record({
      count: fc.constantFrom(
        (text: string) => countO200K(text),
        (text: string) => countCL100K(text),
      ),
      inflation: fc.double({ min: 0.9, max: 1.4, noNaN: true }),
      hidden: fc.nat({ max: 1_500 }),
      frame: fc.nat({ max: 10 }),
    })
    fc.assert(
      fc.property(fc.nat(), provider, (seed, provider) => converse({ seed, main, provider }, errors)),
      { numRuns: 12, seed: 4 },
    )
    expect(quantile(errors.next, 0.5)).toBeLessThanOrEqual(0.1)
    expect(quantile(errors.next, 0.95)).toBeLessThanOrEqual(0.25)
    expect(quantile(errors.whole, 0.5)).toBeLessThanOrEqual(0.1)
    expect(quantile(errors.whole, 0.95)).toBeLessThanOrEqual(0.25)
    expect(quantile(errors.covered, 0.05)).toBe(1)
  })
})
