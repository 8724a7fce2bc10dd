import type { Duplex } from 'node:stream'
import type { DeviceShare } from './device-share.ts'
import type { MqttLimits } from './mqtt-limits.ts'

type Options = { share: DeviceShare; limits: MqttLimits; clock: () => number }
type Socket = Pick<Duplex, 'pause' | 'resume' | 'isPaused' | 'writableLength' | 'destroyed'>

/**
 * The pace at which one connection is read: not while too much of its device waits to be stored,
 * and not while its client leaves too many answers unread.
 */
export class ConnectionIntake {
  readonly #socket: Socket
  readonly #options: Options
  readonly #reader = {
    unread: () => this.#socket.writableLength,
    resume: () => this.#resume(),
  }
  #count = 0
  #bytes = 0
  #broken = false
  #choked = false
  #heardAt: number
  #chokedAt = 0

  constructor(socket: Socket, options: Options) {
    this.#socket = socket
    this.#options = options
    this.#heardAt = options.clock()
    options.share.readers.add(this.#reader)
  }

  /** Time of the client's last bytes; while its socket is paused, the present time. */
  get heardAt() {
    return this.#socket.isPaused() ? this.#options.clock() : this.#heardAt
  }
  heard() {
    this.#heardAt = this.#options.clock()
  }

  /** Counts a message as unstored until `stored`. */
  take(bytes: number) {
    const { share } = this.#options
    this.#count += 1
    this.#bytes += bytes
    share.addUnderWay(bytes)
    if (share.isFull()) this.#socket.pause()
  }
  stored(count: number, bytes: number) {
    if (this.#broken) return
    this.#count -= count
    this.#bytes -= bytes
    this.#options.share.removeUnderWay(count, bytes)
  }
  /** Nothing of it will be stored any more. */
  failed() {
    if (this.#broken) return
    this.#broken = true
    this.#options.share.removeUnderWay(this.#count, this.#bytes)
  }

  /** Something was sent: a client that does not read its answers gets no more of them. */
  sent() {
    if (this.#choked || this.#socket.writableLength < this.#options.limits.unread) return
    this.#choked = true
    this.#chokedAt = this.#options.clock()
    this.#socket.pause()
  }
  drained() {
    this.#choked = false
    this.#resume()
  }
  /** The client has not read for too long. */
  isStuck(now: number) {
    return this.#choked && now - this.#chokedAt > this.#options.limits.unreadMs
  }

  close() {
    this.#options.share.readers.delete(this.#reader)
  }

  #resume() {
    if (!this.#socket.isPaused() || this.#choked || this.#socket.destroyed) return
    if (!this.#options.share.isFree()) return
    this.heard()
    this.#socket.resume()
  }
}
