import { issueAt, type RuleIssue } from './issue.ts'
import { ruleLimits } from './limits.ts'
import { type Condition, Leaf } from './rule.ts'
import { schemaIssues } from './schema-issues.ts'

type Raw = Readonly<Record<string, unknown>>

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Condition of a posted value, with the faults of each part at its own place. */
export class ConditionReader {
  readonly issues: RuleIssue[] = []
  private leaves = 0

  read(raw: unknown, place: string, depth = 1): Condition | undefined {
    if (depth > ruleLimits.depth) return this.fault(place, 'too_deep', { most: ruleLimits.depth })
    if (!isRaw(raw)) {
      return raw === undefined
        ? this.fault(place, 'missing')
        : this.fault(place, 'wrong_type', { expected: 'object' })
    }
    if ('not' in raw) return this.readNot(raw, place, depth)
    if ('all' in raw) return this.readGroup(raw, 'all', { place, depth })
    return 'any' in raw ? this.readGroup(raw, 'any', { place, depth }) : this.readLeaf(raw, place)
  }

  private fault(place: string, code: RuleIssue['code'], params: RuleIssue['params'] = {}) {
    this.issues.push(issueAt(place, code, params))
    return undefined
  }

  private others(raw: Raw, own: string, place: string) {
    for (const key of Object.keys(raw)) {
      if (key !== own) this.fault(`${place}.${key}`, 'unknown_field')
    }
  }

  private readNot(raw: Raw, place: string, depth: number): Condition | undefined {
    this.others(raw, 'not', place)
    const not = this.read(raw['not'], `${place}.not`, depth + 1)
    return not && { not }
  }

  private readGroup(
    raw: Raw,
    key: 'all' | 'any',
    { place, depth }: { place: string; depth: number },
  ): Condition | undefined {
    this.others(raw, key, place)
    const list = raw[key]
    const at = `${place}.${key}`
    if (!Array.isArray(list)) return this.fault(at, 'wrong_type', { expected: 'array' })
    if (list.length === 0) return this.fault(at, 'too_few', { least: 1 })
    if (list.length > ruleLimits.parts) {
      return this.fault(at, 'too_many', { most: ruleLimits.parts })
    }
    const parts = list.map((part, index) => this.read(part, `${at}.${index}`, depth + 1))
    const good = parts.filter((part) => part !== undefined)
    if (good.length < parts.length) return undefined
    return key === 'all' ? { all: good } : { any: good }
  }

  private readLeaf(raw: Raw, place: string): Condition | undefined {
    this.leaves += 1
    if (this.leaves > ruleLimits.leaves) {
      // Named once, however many there are.
      return this.leaves === ruleLimits.leaves + 1
        ? this.fault(place, 'too_many_leaves', { most: ruleLimits.leaves })
        : undefined
    }
    const read = Leaf.safeParse(raw, { reportInput: true })
    if (read.success) return read.data
    this.issues.push(...schemaIssues(read.error, place))
    return undefined
  }
}
