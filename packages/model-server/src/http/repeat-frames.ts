const blockBytes = 64 * 1024

/** Repeats the frames in turn, `count` in all, in buffers of about 64 KiB that share their memory. */
export function* repeatFrames(frames: readonly string[], count: number): Generator<Buffer> {
  const cycle = Buffer.from(frames.join(""))
  const cycles = Math.floor(count / frames.length)
  const perBlock = Math.min(cycles, Math.max(1, Math.floor(blockBytes / cycle.length)))
  const block = Buffer.alloc(cycle.length * perBlock, cycle)
  for (let left = cycles; left > 0; left -= perBlock) {
    yield left >= perBlock ? block : block.subarray(0, cycle.length * left)
  }
  const rest = frames.slice(0, count % frames.length)
  if (rest.length > 0) yield Buffer.from(rest.join(""))
}

/** Repeats the texts in turn, `count` in all, each encoded separately, in buffers of about 64 KiB. */
export function* encodeFrames(
  texts: readonly string[],
  count: number,
  encode: (text: string) => string,
): Generator<Buffer> {
  let block = ""
  for (let index = 0; index < count; index++) {
    block += encode(texts[index % texts.length] ?? "")
    if (block.length < blockBytes && index < count - 1) continue
    yield Buffer.from(block)
    block = ""
  }
}
