import { expect, test } from 'vitest'
import type { LogLine, SourceName } from './log-source.ts'
import { type LogPlace, nextLines } from './log-merge.ts'

const line = (source: SourceName, at: number): LogLine => ({
  key: `${source}:${at}`,
  source,
  at,
  organization: 'nordwerk',
  texts: () => ({ who: '', what: '', on: '', state: undefined }),
  facts: () => [],
})

/** Pages of three lines of each source. */
const pagesOf =
  (times: Partial<Record<SourceName, number[]>>, asked: string[] = []) =>
  async (source: SourceName, next: string | undefined) => {
    asked.push(`${source} ${next}`)
    const all = times[source]
    if (!all) throw new TypeError('away')
    const start = Number(next ?? 0)
    const end = start + 3
    return {
      lines: all.slice(start, end).map((at) => line(source, at)),
      next: end < all.length ? String(end) : null,
    }
  }

async function allLines(times: Parameters<typeof pagesOf>[0], count: number) {
  const sources = Object.keys(times) as SourceName[]
  const seen: LogLine[] = []
  let place: LogPlace | null = {}
  while (place !== null) {
    const page: Awaited<ReturnType<typeof nextLines>> = await nextLines(
      sources,
      place,
      count,
      pagesOf(times),
    )
    seen.push(...page.lines)
    place = page.next
  }
  return seen
}

test('lines of all sources are in one order, each once, whatever the size of pages [R-20 in part]', async () => {
  const times = {
    audit: [90, 80, 70, 60, 50, 40, 30],
    device: [95, 45, 44, 43, 42, 41, 1],
    action: [],
    delivery: [60],
  }
  const wanted = Object.values(times)
    .flat()
    .toSorted((one, other) => other - one)
  for (const count of [1, 2, 4, 100])
    expect((await allLines(times, count)).map(({ at }) => at)).toEqual(wanted)
})

test('a page is read when it is needed, and no sooner', async () => {
  const asked: string[] = []
  const read = pagesOf({ audit: [9, 8, 7, 6], device: [5, 4, 3, 2] }, asked)
  await nextLines(['audit', 'device'], {}, 3, read)
  expect(asked).toEqual(['audit undefined', 'device undefined'])
})

test('a source that does not answer is named, the others are shown', async () => {
  const page = await nextLines(['audit', 'mail'], {}, 10, pagesOf({ audit: [2, 1] }))
  expect(page.failed).toEqual(['mail'])
  expect(page.lines.map(({ at }) => at)).toEqual([2, 1])
  expect(page.next).toBeNull()
})

test('pages that have nothing are passed over', async () => {
  const read = async (_: SourceName, next: string | undefined) =>
    next === undefined ? { lines: [], next: 'more' } : { lines: [line('audit', 1)], next: null }
  expect((await nextLines(['audit'], {}, 10, read)).lines).toHaveLength(1)
})
