/** Condition that held since `t`, but not for the whole of its delay. */
export type Miss = { t: number; heldMs: number; ofMs: number }

/** Nearest misses of a trial: those that held the largest part of their delay. */
export class Misses {
  private readonly kept: Miss[] = []
  private readonly most: number
  constructor(most = 5) {
    this.most = most
  }

  add(miss: Miss): void {
    const place = this.kept.findIndex((one) => heldPart(one) < heldPart(miss))
    if (place === -1 && this.kept.length >= this.most) return
    this.kept.splice(place === -1 ? this.kept.length : place, 0, miss)
    if (this.kept.length > this.most) this.kept.pop()
  }

  /** The nearest first. */
  get nearest(): readonly Miss[] {
    return this.kept
  }
}

const heldPart = ({ heldMs, ofMs }: Miss) => heldMs / ofMs
