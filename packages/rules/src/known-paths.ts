import { anyIndex, relativePath } from '@longreach/formula/paths'
import { similarTo } from '@longreach/formula/issue'
import { inputPath } from './compile-leaf.ts'
import { issueAt, type RuleIssue } from './issue.ts'

/** Largest number of nearest paths that are looked for in one rule, as each look takes time. */
const mostGuesses = 5

/** Check of the paths of a rule against those of its model; without them every path is known. */
export class PathCheck {
  private readonly known: ReadonlyMap<string, string> | undefined
  private guesses = mostGuesses

  constructor(paths: Iterable<string> | undefined) {
    if (!paths) return
    this.known = new Map([...paths].map((path) => [anyIndex(relativePath(path)), path]))
  }

  /** True when the paths of the model are known. */
  get isGiven() {
    return this.known !== undefined
  }

  has(path: string) {
    return !this.known || this.known.has(anyIndex(inputPath(path)))
  }

  /** Known path most similar to one that is not known, as the model writes it. */
  nearest(path: string): string | undefined {
    if (!this.known || this.guesses <= 0) return undefined
    this.guesses -= 1
    const whole = similarTo(anyIndex(path), this.known.values())
    if (whole !== undefined) return whole
    const similar = similarTo(anyIndex(inputPath(path)), this.known.keys())
    return similar === undefined ? undefined : this.known.get(similar)
  }

  issues(path: string, place: string): RuleIssue[] {
    if (this.has(path)) return []
    const nearest = this.nearest(path)
    return nearest === undefined
      ? [issueAt(place, 'unknown_path', { path })]
      : [{ ...issueAt(place, 'unknown_path_similar', { path, similar: nearest }), nearest }]
  }
}
