export interface SizedFile {
  /** 0 or 1. */
  readonly images: number
  /** Of base64 text. */
  readonly bytes: number
}

/** What is left once something has to go: so that not every new file changes how the request begins. */
const KEPT_SHARE = 0.75

/**
 * The files that do not go along, with the reason, oldest first given. Each file is looked at as when it came: where
 * there were too many then, the oldest went, and stay away. The newest always goes along.
 */
export function newestThatFit<F extends SizedFile>(files: readonly F[], most: SizedFile): ReadonlyMap<F, string> {
  const gone = new Map<F, string>()
  let kept: F[] = []
  for (const file of files) {
    kept.push(file)
    const total = totalOf(kept)
    const isMany = total.images > most.images
    const isLarge = total.bytes > most.bytes
    if (!isMany && !isLarge) continue
    for (const old of kept.slice(0, -1)) {
      const helps =
        (isMany && old.images > 0 && total.images > most.images * KEPT_SHARE) ||
        (isLarge && total.bytes > most.bytes * KEPT_SHARE)
      if (!helps) continue
      total.images -= old.images
      total.bytes -= old.bytes
      gone.set(old, isMany && old.images > 0 ? tooMany(most) : tooLarge(most))
    }
    kept = kept.filter((each) => !gone.has(each))
  }
  return gone
}

function totalOf(files: readonly SizedFile[]): { images: number; bytes: number } {
  return {
    images: files.reduce((sum, { images }) => sum + images, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function tooMany({ images }: SizedFile): string {
  return `a request may have ${images} image${images === 1 ? "" : "s"}, and there are newer ones`
}

function tooLarge({ bytes }: SizedFile): string {
  return `all files of a request may have ${Math.round((bytes / 1_048_576) * 10) / 10} MB, and there are newer ones`
}
