/** How a provider counts and limits the input of a model. */
export interface InputRules {
  /** UTF-8 bytes of text in a token, until the provider has reported the tokens of a request. */
  readonly bytesPerToken: number
  readonly fileTokens: FileTokens
  readonly fileLimits: FileLimits
}

export interface ImageSize {
  /** Pixels, at least 1. */
  readonly width: number
  readonly height: number
}

/** Input tokens of files. */
export interface FileTokens {
  /** Returns a whole number, at least 1. */
  readonly image: (size: ImageSize) => number
  /** Tokens of an image of unknown size. */
  readonly anyImage: number
  /** Tokens of a page of a PDF. */
  readonly page: number
  /** Tokens of a second of audio. */
  readonly second: number
}

/** Limits of files in a request. Bytes are those of the base64 text, as it is sent. */
export interface FileLimits {
  readonly image: {
    readonly mimes: readonly string[]
    readonly bytes: number
    /** Maximum pixels of the longer side. */
    readonly side: number
    /** Maximum number in a request. */
    readonly count: number
  }
  /** Limits of a PDF. Limits of pages are left to the provider, because the page count is only an estimate here. */
  readonly document: { readonly bytes: number } | undefined
  readonly audio: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  readonly video: { readonly mimes: readonly string[]; readonly bytes: number } | undefined
  /** Maximum bytes of all files of a request. */
  readonly requestBytes: number
}
