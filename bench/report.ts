export type Line = {
  what: string
  unit: string
  ours: number
  /** The same work done by each peer in the same run. */
  peers: Record<string, number | undefined>
  better: 'more' | 'less'
  /** Promised figure, or ratio to a peer. */
  goal?: string
}

/** Print lines as a table; a ratio above 1 means that ours is that many times better. */
export function print(title: string, lines: Line[]) {
  const peers = [...new Set(lines.flatMap((line) => Object.keys(line.peers)))]
  const head = ['', 'unit', 'Longreach', ...peers.flatMap((peer) => [peer, 'ratio']), 'goal']
  const body = lines.map((line) => [
    line.what,
    line.unit,
    figure(line.ours),
    ...peers.flatMap((peer) => cells(line, line.peers[peer])),
    line.goal ?? '',
  ])
  const rows = [head, head.map(() => '---'), ...body]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const text = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  process.stdout.write(`\n${title}\n\n${text.join('\n')}\n`)
}

function cells({ ours, better }: Line, peer: number | undefined) {
  if (peer === undefined) return ['–', '–']
  const ratio = ours === peer ? 1 : better === 'more' ? ours / peer : peer / ours
  return [figure(peer), `${figure(ratio)}×`]
}

export function figure(value: number) {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`
  if (value >= 10_000) return `${Math.round(value / 1000)} k`
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2)
}

/** The middle of the times of `times` runs, in ms, after one that does not count. */
export async function medianMs(times: number, work: () => Promise<unknown>) {
  return (await timesOf(times, work))[times >> 1] ?? 0
}

/**
 * Best of the measurements: the cost of the work itself on a machine with other load. Slow work is
 * measured at most `atLeast` times after `withinMs`.
 */
export async function bestMs(
  times: number,
  work: () => Promise<unknown>,
  { atLeast = times, withinMs = Infinity } = {},
) {
  return (await timesOf(times, work, { atLeast, withinMs }))[0] ?? 0
}

async function timesOf(
  times: number,
  work: () => Promise<unknown>,
  { atLeast, withinMs } = { atLeast: times, withinMs: Infinity },
) {
  await work()
  const begun = performance.now()
  const taken: number[] = []
  while (taken.length < times) {
    const start = performance.now()
    if (taken.length >= atLeast && start - begun > withinMs) break
    await work()
    taken.push(performance.now() - start)
  }
  return taken.toSorted((a, b) => a - b)
}

/** `--rows=3000000` as a number, `--full` as a switch. */
export function argument(name: string, fallback: number) {
  const found = process.argv.find((text) => text.startsWith(`--${name}=`))
  const value = found === undefined ? fallback : Number(found.slice(name.length + 3))
  if (!Number.isFinite(value)) throw new Error(`--${name} must be a number`)
  return value
}
export const hasSwitch = (name: string) => process.argv.includes(`--${name}`)

export const say = (text: string) => process.stdout.write(`${text}\n`)
