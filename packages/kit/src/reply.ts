import type { Readable } from 'node:stream'

/** Answer other than the contract's JSON: a file, a stream, a redirect. */
export class Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable

  constructor(status: number, headers: Record<string, string>, body: string | Buffer | Readable) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
