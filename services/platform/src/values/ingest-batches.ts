import type { Batch, Point, TelemetryStore, Value } from '@longreach/telemetry/store'
import type { DurableListener, Target } from '../devices/device.ts'

type Columns = {
  series: number[]
  t: number[]
  v: Value[]
  q: number[]
  targets: Target[]
  /** Rows that rules do not judge. */
  quiet?: Set<number>
}
type OpenBatch = {
  history: Columns
  lastOnly: Columns
  durable: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/** Most appends at once: while one is written to disk, the next is filled. */
const mostUnderWay = 2
const largest = 50_000

/** Collects values into batches as large as the time that the one before takes to become durable. */
export function createBatches(
  store: () => Promise<TelemetryStore>,
  onDurable: (target: Target, point: Point) => void,
  /** Told of values as soon as their block is written, in the order of blocks. */
  onBatch?: DurableListener,
) {
  let open: OpenBatch | undefined
  let underWay = 0
  let scheduled = false
  const flights = new Set<Promise<void>>()

  const schedule = () => {
    if (scheduled || underWay >= mostUnderWay) return
    scheduled = true
    setImmediate(flush)
  }

  const flush = () => {
    scheduled = false
    const batch = open
    if (!batch) return
    open = undefined
    underWay += 1
    const flight = write(batch).finally(() => {
      underWay -= 1
      flights.delete(flight)
      if (open) schedule()
    })
    flights.add(flight)
  }

  const write = async (batch: OpenBatch) => {
    try {
      const telemetry = await store()
      const { history, lastOnly } = batch
      await Promise.all([
        history.series.length > 0 &&
          telemetry.append(columns(history)).then((version) => onBatch?.(history, version)),
        lastOnly.series.length > 0 &&
          telemetry.appendLast(columns(lastOnly)).then((version) => onBatch?.(lastOnly, version)),
      ])
    } catch (error) {
      return batch.reject(error)
    }
    batch.resolve()
    for (const each of [batch.history, batch.lastOnly]) reportDurable(each, onDurable)
  }

  return {
    /** Put a value of a target whose series is known into the open batch; resolves when it is durable. */
    add(target: Target, { t, v, q }: Point, isQuiet = false): Promise<void> {
      open ??= emptyBatch()
      const { history, lastOnly, durable } = open
      const rows = target.leaf.history ? history : lastOnly
      if (isQuiet) (rows.quiet ??= new Set()).add(rows.t.length)
      rows.series.push(target.series ?? 0)
      rows.t.push(t)
      rows.v.push(v)
      rows.q.push(q)
      rows.targets.push(target)
      if (rows.series.length >= largest && underWay < mostUnderWay) flush()
      else schedule()
      return durable
    },
    /** Everything added so far is durable or refused. */
    async settled() {
      for (let batch = open; batch !== undefined || flights.size > 0; batch = open) {
        schedule()
        await Promise.allSettled([...flights, batch?.durable])
      }
    },
  }
}

const empty = (): Columns => ({ series: [], t: [], v: [], q: [], targets: [] })
const columns = ({ series, t, v, q }: Columns): Batch => ({
  series,
  t,
  v,
  // Nearly always all are good, and then nothing is said of it.
  ...(q.some((grade) => grade > 0) && { q }),
})

function emptyBatch(): OpenBatch {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => undefined) // those who added a value get the error too
  return { history: empty(), lastOnly: empty(), durable: promise, resolve, reject }
}

function reportDurable(
  { targets, t, v, q }: Columns,
  onDurable: (target: Target, point: Point) => void,
) {
  for (const [index, target] of targets.entries()) {
    onDurable(target, { t: t[index] ?? 0, v: v[index] ?? null, q: q[index] ?? 0 })
  }
}
