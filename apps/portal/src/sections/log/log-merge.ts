import type { LogLine, SourceName } from './log-source.ts'

/** Place in one source: lines that were read and not shown yet, and where its next page begins. */
type Place = { waiting: readonly LogLine[]; next: string | null | undefined }
/** Place in all sources. */
export type LogPlace = Readonly<Partial<Record<SourceName, Place>>>

type Read = (
  source: SourceName,
  next: string | undefined,
) => Promise<{ lines: readonly LogLine[]; next: string | null }>

export type LogPage = {
  lines: LogLine[]
  /** Place of the next page; null at the end. */
  next: LogPlace | null
  /** Sources that did not answer; the others are complete. */
  failed: SourceName[]
}

const begun: Place = { waiting: [], next: undefined }

/**
 * The next lines of sources whose pages are sorted by time, newest first. A line is taken only when every source
 * that is not at its end has one to compare it with.
 */
export async function nextLines(
  sources: readonly SourceName[],
  from: LogPlace,
  count: number,
  read: Read,
): Promise<LogPage> {
  const places = new Map(sources.map((name) => [name, from[name] ?? begun]))
  const lines: LogLine[] = []
  const failed: SourceName[] = []
  while (lines.length < count) {
    await fill(places, read, failed)
    const newest = newestSource(places)
    if (newest === undefined) return { lines, next: null, failed }
    const place = places.get(newest) ?? begun
    const [line, ...waiting] = place.waiting
    if (line) lines.push(line)
    places.set(newest, { ...place, waiting })
  }
  return { lines, next: Object.fromEntries(places), failed }
}

/** Reads on in each source that has nothing left to compare. */
async function fill(places: Map<SourceName, Place>, read: Read, failed: SourceName[]) {
  const isShort = ({ waiting, next }: Place) => waiting.length === 0 && next !== null
  for (;;) {
    const short = [...places].filter(([, place]) => isShort(place))
    if (short.length === 0) return
    await Promise.all(
      short.map(async ([name, { next }]) => {
        try {
          const page = await read(name, next ?? undefined)
          places.set(name, { waiting: page.lines, next: page.next })
        } catch (error) {
          // The list names it, and goes on with the others.
          if (error instanceof DOMException && error.name === 'AbortError') throw error
          failed.push(name)
          places.set(name, { waiting: [], next: null })
        }
      }),
    )
  }
}

function newestSource(places: ReadonlyMap<SourceName, Place>) {
  let newest: { name: SourceName; at: number } | undefined
  for (const [name, { waiting }] of places) {
    const at = waiting[0]?.at
    if (at !== undefined && (newest === undefined || at > newest.at)) newest = { name, at }
  }
  return newest?.name
}
