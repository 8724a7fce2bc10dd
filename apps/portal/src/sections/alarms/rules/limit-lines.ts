import { relativePath } from '@longreach/formula/paths'
import { type Leaf, leavesOf, type Rule } from '@longreach/rules/rule'

/** Limit or end of a rule that can be drawn over values: its place, and of a band which of both ends. */
export type LimitLine = {
  place: string
  end: 0 | 1 | undefined
  value: number
  kind: 'limit' | 'clear'
  severity: number
}

type Drawn = { path: string; lines: LimitLine[] }

/** Comparison of a rule whose limits are drawn: the first with a data point and limits that are numbers. */
export function drawnLimits(rule: Rule): Drawn | undefined {
  if (rule.kind !== 'condition') return undefined
  for (const { leaf, place } of leavesOf(rule.when, 'when')) {
    if (leaf.path === undefined || leaf.op === 'changed') continue
    const lines = linesOfLeaf(rule, leaf, place)
    if (lines.length > 0) return { path: leaf.path, lines }
  }
  return undefined
}

function linesOfLeaf(rule: Rule, leaf: Leaf, place: string): LimitLine[] {
  const worst = rule.levels.at(-1)?.severity ?? 0
  const own = numbersAt(leaf, place, worst)
  if (own.length > 0 || leaf.value !== undefined || leaf.otherPath !== undefined) return own
  return rule.levels.flatMap((level, index) => numbersAt(level, `levels.${index}`, level.severity))
}

function numbersAt(
  { value, clear }: { value?: unknown; clear?: unknown },
  place: string,
  severity: number,
): LimitLine[] {
  return [
    ...endsOf(value).map((end) => ({ ...end, place: `${place}.value`, kind: 'limit' as const })),
    ...endsOf(clear).map((end) => ({ ...end, place: `${place}.clear`, kind: 'clear' as const })),
  ].map((line) => ({ ...line, severity }))
}

function endsOf(value: unknown): Pick<LimitLine, 'end' | 'value'>[] {
  if (typeof value === 'number') return [{ end: undefined, value }]
  if (!Array.isArray(value) || value.length !== 2) return []
  const [low, high]: unknown[] = value
  if (typeof low !== 'number' || typeof high !== 'number') return []
  return [
    { end: 0, value: low },
    { end: 1, value: high },
  ]
}

/** Value at the place of a line after one of its numbers was moved; the ends of a band stay in order. */
export function movedLimit(before: unknown, { end }: Pick<LimitLine, 'end'>, to: number): unknown {
  if (end === undefined) return to
  const [low, high] = Array.isArray(before) ? (before as number[]) : []
  if (end === 0) return [Math.min(to, high ?? to), high ?? to]
  return [low ?? to, Math.max(to, low ?? to)]
}

/** Paths of a device that a path of a rule names; `[*]` stands for any item. */
export function pathsNamed(path: string, present: readonly string[]): string[] {
  const wanted = relativePath(path)
  const pattern = wanted
    .split('[*]')
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`\[\d+\]`)
  const matches = new RegExp(`^${pattern}$`)
  return present.filter((one) => matches.test(relativePath(one)))
}

/** Range of values that is drawn: values and limits with a tenth above and below. */
export function drawnRange(values: readonly number[]): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { low: 0, high: 1 }
  const room = (high - low || Math.abs(high) || 1) / 10
  return { low: low - room, high: high + room }
}

/** Step of a limit that is moved by a key: 1, 2 or 5 of a decimal place, about a hundredth of the range. */
export function stepOf({ low, high }: { low: number; high: number }) {
  const rough = (high - low) / 100
  const size = 10 ** Math.floor(Math.log10(rough))
  return (rough / size < 2 ? 1 : rough / size < 5 ? 2 : 5) * size
}

/** Value on the grid of a step, without the digits that floating point adds. */
export const onStep = (value: number, step: number) =>
  Number((Math.round(value / step) * step).toFixed(Math.max(0, -Math.floor(Math.log10(step)))))
