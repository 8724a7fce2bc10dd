import type { MqttLimits } from './mqtt-limits.ts'

/** A session, as far as others of its device take place from it. */
type Queue = { queuedBytes: () => number; dropOldest: () => void }
/** A connection, as far as others of its device wait for it. */
type Reader = { unread: () => number; resume: () => void }

/** The memory that one device holds, over all of its sessions and connections. */
export class DeviceShare {
  readonly queues = new Set<Queue>()
  readonly readers = new Set<Reader>()
  readonly #limits: MqttLimits
  #filters = 0
  #wildcards = 0
  #filterBytes = 0
  #queuedBytes = 0
  #unfinishedBytes = 0
  #underWay = 0
  #underWayBytes = 0

  constructor(limits: MqttLimits) {
    this.#limits = limits
  }

  /** False when the device has too many filters already. */
  addFilter(bytes: number, isWildcard: boolean) {
    const { filters, filterBytes, wildcards } = this.#limits
    if (this.#filters >= filters || this.#filterBytes + bytes > filterBytes) return false
    if (isWildcard && this.#wildcards >= wildcards) return false
    this.#filters += 1
    this.#filterBytes += bytes
    if (isWildcard) this.#wildcards += 1
    return true
  }
  removeFilter(bytes: number, isWildcard: boolean) {
    this.#filters -= 1
    this.#filterBytes -= bytes
    if (isWildcard) this.#wildcards -= 1
  }

  /** Room for a message that waits; the longest queues lose their oldest for it. False when nothing helps. */
  addQueued(bytes: number) {
    while (this.#queuedBytes + bytes > this.#limits.queuedBytes && this.#queuedBytes > 0) {
      let longest: Queue | undefined
      for (const queue of this.queues) {
        if (queue.queuedBytes() > (longest?.queuedBytes() ?? 0)) longest = queue
      }
      if (!longest) return false
      longest.dropOldest()
    }
    this.#queuedBytes += bytes
    return true
  }
  removeQueued(bytes: number) {
    this.#queuedBytes -= bytes
  }

  /** False when the device has too much of unfinished packets; less is always taken. */
  changeUnfinished(bytes: number) {
    if (bytes > 0 && this.#unfinishedBytes + bytes > this.#limits.unfinishedBytes) return false
    this.#unfinishedBytes += bytes
    return true
  }

  addUnderWay(bytes: number) {
    this.#underWay += 1
    this.#underWayBytes += bytes
  }
  removeUnderWay(count: number, bytes: number) {
    this.#underWay -= count
    this.#underWayBytes -= bytes
    if (this.isFree()) for (const reader of this.readers) reader.resume()
  }
  /** So much is not stored yet that no more may be read. */
  isFull() {
    const { underWay, underWayBytes } = this.#limits
    return this.#underWay >= underWay || this.#underWayBytes >= underWayBytes
  }
  /** Half of it is stored: reading may go on. */
  isFree() {
    const { underWay, underWayBytes } = this.#limits
    return this.#underWay < underWay / 2 && this.#underWayBytes < underWayBytes / 2
  }

  /** More may be sent to the device's clients. */
  isRead() {
    let unread = 0
    for (const reader of this.readers) unread += reader.unread()
    return unread < this.#limits.unread
  }
}
