const blockBytes = 64 * 1024

/** The same frame `count` times, as buffers of about 64 KiB that share their memory. */
export function* repeatFrame(frame: string, count: number): Generator<Buffer> {
  const bytes = Buffer.from(frame)
  const perBlock = Math.min(count, Math.max(1, Math.floor(blockBytes / bytes.length)))
  const block = Buffer.alloc(bytes.length * perBlock, bytes)
  for (let left = count; left > 0; left -= perBlock) {
    yield left >= perBlock ? block : block.subarray(0, bytes.length * left)
  }
}
