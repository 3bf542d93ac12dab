import { COLUMNS, type Line, type Run, textOf } from "./record.ts"

/** Rows of the window. */
const VISIBLE_ROWS = 30
const LINE_HEIGHT = 20
const FONT_SIZE = 14
/** Width of a column, with room for fonts that are a little wider than most. */
const COLUMN_WIDTH = 8.5
const PADDING = 18
const TITLE_HEIGHT = 34
/** Pause at the end, in seconds. */
const END_PAUSE = 6

/** Colours of the terminal, by their index. All others are not used by pawl. */
const COLORS: Readonly<Record<number, string>> = {
  1: "#ff7b72",
  2: "#7ee787",
  3: "#e3b341",
  4: "#79c0ff",
  5: "#d2a8ff",
  6: "#76e3ea",
}

const TEXT_STYLES = [
  `text{font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}`,
  ...Object.entries(COLORS).map(([index, color]) => `.c${index}{fill:${color}}`),
  ".d{fill:#8d96a0}",
  ".b{font-weight:bold}",
]

/** Renders the lines of a terminal as an animated picture, in which they appear one by one. Without animation it shows the end. */
export function renderPicture(lines: readonly Line[], { title, command }: { title: string; command: string }): string {
  const all = [promptLine(command), ...lines]
  const width = Math.ceil(COLUMNS * COLUMN_WIDTH + 2 * PADDING)
  const windowHeight = VISIBLE_ROWS * LINE_HEIGHT
  const height = TITLE_HEIGHT + windowHeight + PADDING
  const times = appearances(all)
  const duration = (times.at(-1) ?? 0) + END_PAUSE
  const end = Math.max(0, all.length - VISIBLE_ROWS) * LINE_HEIGHT
  const rows = all.map((line, at) => rowOf(line, at)).filter((row) => row !== "")
  const label = escaped(title)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">`,
    "<!-- Made by pnpm demo:record. Do not edit. -->",
    `<title>${label}</title>`,
    "<style>",
    ...TEXT_STYLES,
    "@media (prefers-reduced-motion:no-preference){",
    `.screen{animation:scroll ${seconds(duration)}s step-end infinite}`,
    `.rest{animation:print ${seconds(duration)}s step-end infinite}`,
    "}",
    `@keyframes scroll{${keyframes(times, duration, (row) => -Math.max(0, row - VISIBLE_ROWS) * LINE_HEIGHT)}}`,
    `@keyframes print{${keyframes(times, duration, (row) => Math.min(row, VISIBLE_ROWS) * LINE_HEIGHT)}}`,
    "</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((color, at) => {
      return `<circle cx="${PADDING + 6 + at * 20}" cy="${TITLE_HEIGHT / 2}" r="6" fill="${color}"/>`
    }),
    `<svg x="${PADDING}" y="${TITLE_HEIGHT}" width="${width - PADDING}" height="${windowHeight}">`,
    `<g class="screen" transform="translate(0 -${end})">`,
    ...rows,
    "</g>",
    `<rect class="rest" transform="translate(0 ${windowHeight})" width="100%" height="100%" fill="#0d1117"/>`,
    "</svg>",
    "</svg>",
  ].join("\n")}\n`
}

/** Renders the lines of a screen as a picture that stands still. */
export function renderScreen(lines: readonly Line[], title: string): string {
  const width = Math.ceil(COLUMNS * COLUMN_WIDTH + 2 * PADDING)
  const height = lines.length * LINE_HEIGHT + 2 * PADDING
  const label = escaped(title)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">`,
    "<!-- Made by pnpm demo:record. Do not edit. -->",
    `<title>${label}</title>`,
    "<style>",
    ...TEXT_STYLES,
    "</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    `<g transform="translate(${PADDING} ${PADDING})">`,
    ...lines.map((line, at) => rowOf(line, at)).filter((row) => row !== ""),
    "</g>",
    "</svg>",
  ].join("\n")}\n`
}

function promptLine(command: string): Line {
  const plain = { isBold: false, isDim: false }
  return [
    { ...plain, text: "$ ", color: 2 },
    { ...plain, text: command, color: undefined, isBold: true },
  ]
}

function rowOf(line: Line, at: number): string {
  if (textOf(line).trim() === "") return ""
  const y = at * LINE_HEIGHT + FONT_SIZE + 1
  return `<text xml:space="preserve" y="${y}">${line.map(spanOf).join("")}</text>`
}

function spanOf({ text, color, isBold, isDim }: Run): string {
  const known = color === undefined ? undefined : color % 8
  if (color !== undefined && COLORS[known ?? 0] === undefined) throw new Error(`The picture has no colour ${color}.`)
  const classes = [isDim ? "d" : known === undefined ? "" : `c${known}`, isBold ? "b" : ""].filter(
    (each) => each !== "",
  )
  return classes.length === 0 ? escaped(text) : `<tspan class="${classes.join(" ")}">${escaped(text)}</tspan>`
}

/** Returns the second at which each line appears: tools and paragraphs take longer than the lines below them. */
function appearances(lines: readonly Line[]): number[] {
  const times: number[] = []
  let time = 0
  for (const [at, line] of lines.entries()) {
    times.push(time)
    const next = textOf(lines[at + 1] ?? [])
    const isParagraph = textOf(line).trim() === "" && /^\S/.test(next) && !/^[●✗]/.test(next)
    const isCommand = /^[●✗] bash/.test(next)
    time += at === 0 || isCommand ? 1.2 : isParagraph ? 1 : next.startsWith("● ") ? 0.45 : 0.09
  }
  return times
}

/** Returns a keyframe for each time at which `placeOf` changes. It gets the number of lines that have appeared. */
function keyframes(times: readonly number[], duration: number, placeOf: (row: number) => number): string {
  const frames: string[] = []
  let last: number | undefined
  for (const [at, time] of times.entries()) {
    const place = placeOf(at + 1)
    if (place !== last) frames.push(`${((time / duration) * 100).toFixed(2)}%{transform:translateY(${place}px)}`)
    last = place
  }
  return `${frames.join("")}100%{transform:translateY(${last}px)}`
}

function seconds(value: number): string {
  return value.toFixed(1)
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
}
