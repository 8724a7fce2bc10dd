import { valueOf } from '@longreach/formula/convert'
import { evaluateRow } from '@longreach/formula/evaluate'
import type { Formula } from '@longreach/formula/parse'
import type { Point } from '@longreach/telemetry/store'
import { isStruct } from './query-source.ts'

type Read = (point: Point) => ReturnType<typeof valueOf>

const known: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['value', ({ v }) => valueOf(v)],
  ['timestamp', ({ t }) => t],
  ['quality', ({ q }) => q],
])

/** Does a value meet all conditions? They read `value`, `timestamp`, `quality` and a struct's fields. */
export function conditionTest(
  conditions: readonly Formula[],
): ((point: Point) => boolean) | undefined {
  if (conditions.length === 0) return undefined
  const tests = conditions.map((formula) => {
    const reads = formula.variables.map((name) => known.get(name) ?? fieldRead(name))
    return (point: Point) =>
      evaluateRow(
        formula,
        reads.map((read) => read(point)),
        { t: point.t },
      ) === true
  })
  return (point) => tests.every((test) => test(point))
}

const fieldRead =
  (name: string): Read =>
  ({ v }) =>
    isStruct(v) && Object.hasOwn(v, name) ? valueOf(v[name]) : null

/** The points that meet the conditions, page by page. */
export async function* meeting(
  pages: AsyncIterable<Point[]>,
  conditions: readonly Formula[],
): AsyncIterable<Point[]> {
  const test = conditionTest(conditions)
  if (!test) return yield* pages
  for await (const page of pages) {
    const good = page.filter(test)
    if (good.length > 0) yield good
  }
}

/** At most `limit` points. */
export async function* firstOf(
  pages: AsyncIterable<Point[]>,
  limit: number | undefined,
): AsyncIterable<Point[]> {
  if (limit === undefined) return yield* pages
  let left = limit
  for await (const page of pages) {
    yield page.length > left ? page.slice(0, left) : page
    left -= page.length
    if (left <= 0) return
  }
}
