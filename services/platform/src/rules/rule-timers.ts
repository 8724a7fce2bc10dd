import type { Judged } from '../devices/device.ts'

type Entry = { at: number; judged: Judged }

/** Timers of all instances of a process, by the time of the server at which they are due: a heap. */
export class RuleTimers {
  private readonly heap: Entry[] = []

  /** Time of the next one; it may be of an instance that has another time now. */
  get next(): number | undefined {
    return this.heap[0]?.at
  }

  /**
   * Sets the timer of an instance. One that is due earlier stays, and the next is set when it is taken, so
   * that values of a rule about silence add none.
   */
  set(judged: Judged, at: number | undefined) {
    if (at === undefined || at >= (judged.wakesAt ?? Infinity)) return
    judged.wakesAt = at
    const { heap } = this
    heap.push({ at, judged })
    let place = heap.length - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.at(parent) <= this.at(place)) break
      this.swap(parent, place)
      place = parent
    }
  }

  /** Instances whose timers are due, which have none from then on. */
  take(now: number): Judged[] {
    const due: Judged[] = []
    for (let first = this.heap[0]; first && first.at <= now; first = this.heap[0]) {
      this.removeFirst()
      if (first.judged.wakesAt !== first.at) continue
      first.judged.wakesAt = undefined
      due.push(first.judged)
    }
    return due
  }

  private removeFirst() {
    const { heap } = this
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    let place = 0
    for (;;) {
      const left = place * 2 + 1
      if (left >= heap.length) return
      const least = left + 1 < heap.length && this.at(left + 1) < this.at(left) ? left + 1 : left
      if (this.at(place) <= this.at(least)) return
      this.swap(place, least)
      place = least
    }
  }

  private at(place: number) {
    return this.heap[place]?.at ?? Infinity
  }

  private swap(one: number, other: number) {
    const { heap } = this
    const [first, second] = [heap[one], heap[other]]
    if (!first || !second) return
    heap[one] = second
    heap[other] = first
  }
}
