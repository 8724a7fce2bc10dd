// Runs in a process of its own: keeps calls under way in lanes, and tells how many were answered in the measured time.
/** Call that a lane repeats; `at` is the process that it asks. */
export type Lane = {
  at: number
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}
export type Order = { lanes: Lane[]; warmMs: number; measuredMs: number }
/** Calls a second of each process, in the order of the processes. */
export type Told = { perSecond: number[] } | { failed: string }

async function run({ lanes, warmMs, measuredMs }: Order): Promise<Told> {
  const counts = Array.from({ length: Math.max(...lanes.map(({ at }) => at)) + 1 }, () => 0)
  const from = performance.now() + warmMs
  const until = from + measuredMs
  const drive = async ({ at, url, ...init }: Lane) => {
    while (performance.now() < until) {
      const response = await fetch(url, init)
      const text = await response.text()
      if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${text}`)
      const now = performance.now()
      if (now >= from && now < until) counts[at] = (counts[at] ?? 0) + 1
    }
  }
  await Promise.all(lanes.map(drive))
  return { perSecond: counts.map((count) => (count * 1_000) / measuredMs) }
}

process.on('message', (order: Order) => {
  run(order).then(
    (told) => process.send?.(told),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies Told),
  )
})
