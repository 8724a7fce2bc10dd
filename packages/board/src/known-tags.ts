import { similarTo } from '@longreach/formula/issue'
import { anyIndex } from '@longreach/formula/paths'

/** Facts about a value of a model. */
export type TagFacts = { writable: boolean }

/** Largest number of nearest paths that are looked for in one board, as each look takes time. */
const mostGuesses = 20

/** Values of the slots' models, and a look for the path that is probably meant. */
export class KnownTags {
  private readonly slots: Readonly<Record<string, ReadonlyMap<string, TagFacts>>>
  private guesses = mostGuesses
  constructor(slots: Readonly<Record<string, ReadonlyMap<string, TagFacts>>>) {
    this.slots = slots
  }
  /** Facts of a value; null is unknown, undefined is a slot whose values are not known. */
  find(slot: string, path: string): TagFacts | null | undefined {
    const tags = Object.hasOwn(this.slots, slot) ? this.slots[slot] : undefined
    return tags && (tags.get(path) ?? tags.get(anyIndex(path)) ?? null)
  }
  nearest(slot: string, path: string): string | undefined {
    const tags = this.slots[slot]
    if (!tags || this.guesses <= 0) return undefined
    this.guesses -= 1
    return similarTo(anyIndex(path), tags.keys())
  }
}
