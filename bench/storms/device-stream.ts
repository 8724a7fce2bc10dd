import { X509Certificate } from 'node:crypto'
import { Duplex } from 'node:stream'

type Options = {
  /** The certificate of the device, in DER. */
  certificate: Buffer
  ip: string
  heard: (bytes: Buffer) => void
}

/** Connection of a simulated device as the server sees it: what TLS would give, from memory. */
export class DeviceStream extends Duplex {
  readonly remoteAddress: string
  readonly #certificate: Buffer
  #heard: Options['heard'] | undefined

  constructor({ certificate, ip, heard }: Options) {
    super({ allowHalfOpen: false })
    this.remoteAddress = ip
    this.#certificate = certificate
    this.#heard = heard
  }

  getPeerCertificate() {
    return new X509Certificate(this.#certificate).toLegacyObject()
  }

  /** The network is gone: neither side gets anything from the other any more, nor its end. */
  silence() {
    this.#heard = undefined
  }

  override _read() {
    // The device pushes when it sends.
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: () => void) {
    // Not within the call: the server has not ended its turn.
    setImmediate(() => this.#heard?.(bytes))
    done()
  }

  /** The server ends the connection, and the device does so too. */
  override _final(done: () => void) {
    done()
    if (this.#heard) this.push(null)
  }
}
