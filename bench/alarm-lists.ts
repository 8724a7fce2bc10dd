import os from 'node:os'
import type { z } from 'zod'
import type { AlarmsDeps } from '../services/alarms/src/deps.ts'
import { severityCount } from '../services/alarms/src/search/count-handlers.ts'
import { searchContract } from '../services/alarms/src/search/contract.ts'
import { listAlarms } from '../services/alarms/src/search/list-handlers.ts'
import { searchAlarms } from '../services/alarms/src/search/search-handlers.ts'
import { alarmsDatabase, callerOf } from './alarms/database.ts'
import { addRules, fillOccurrences, openSome } from './alarms/occurrences.ts'
import { percentilesOf, timesOf } from './alarms/percentiles.ts'
import { argument, figure, type Line, print, say } from './report.ts'

// npm run bench -- alarm-lists [--rows=1000000] [--searched=300000] [--open=4500] [--devices=1000] [--times=100]
// Pages and counts of a history of alarms, and words searched in it, beside their limits. The peer of the
// search of words is the same page with LIKE and no index. What handlers do is measured, with all their
// queries; token, rights and HTTP are measured by `http` and `lists`.
const rows = argument('rows', 1_000_000)
const searched = argument('searched', 300_000)
const open = argument('open', 4_500)
const devices = argument('devices', 1_000)
const times = argument('times', 100)
const org = 'bench'
const to = Date.now()
const from = to - 365 * 86_400_000
/** Time of the last of those in which words are searched. */
const searchedTo = from + (to - from) * (searched / rows)
const limits = { page: 50, counts: 30, words: 100 }

type Body = z.input<typeof searchContract.endpoints.listAlarms.body>
type Search = z.input<typeof searchContract.endpoints.searchAlarms.body>

const { pool, db, stop } = await alarmsDatabase()
const deps = { db } as AlarmsDeps // the lists ask no other service
const ctx = callerOf(org, new Date(to))
const { listAlarms: list, searchAlarms: search } = searchContract.endpoints
const pageOf = (body: Body) => listAlarms(deps)({ body: list.body.parse(body) }, ctx)
const found = (body: Search) =>
  searchAlarms(deps)({ query: {}, body: search.body.parse(body) }, ctx)

/** Device with this number; those of the first tenth have half of the alarms. */
const device = (n: number) => String(1 + ((n * 37) % devices)).padStart(22, 'd')

/** Times of pages that follow each other, from a place in the middle of the history on. */
async function nextPages() {
  const half = new Date(to - 180 * 86_400_000).toISOString()
  let next: string | undefined = Buffer.from(JSON.stringify(['history', half, ''])).toString(
    'base64url',
  )
  return timesOf(times, async () => {
    const page = await pageOf({ kind: 'history', ...(next !== undefined && { next }) })
    if (page.data.length === 0 || page.next === null) throw new Error('the history ends')
    ;({ next } = page)
  })
}

/** A page that has to hold something, so that no empty answer is measured. */
const filled = async (page: Promise<{ data: readonly unknown[] }>) => {
  const { data } = await page
  if (data.length === 0) throw new Error('nothing is found')
}

const pages: [string, () => Promise<number[]>][] = [
  ['open ones', () => timesOf(times, () => filled(pageOf({ kind: 'open' })))],
  ['history by time', () => timesOf(times, () => filled(pageOf({ kind: 'history' })))],
  ['next pages of the history', nextPages],
  [
    'history of a device',
    () => timesOf(times, (n) => filled(pageOf({ kind: 'history', deviceId: device(n) }))),
  ],
  [
    'history by name',
    () =>
      timesOf(times, (n) =>
        filled(pageOf({ kind: 'history', data: `name == "Rule ${1 + (n % 40)}"` })),
      ),
  ],
  [
    'history of a day',
    () =>
      timesOf(times, (n) =>
        filled(
          pageOf({
            kind: 'history',
            from: to - (n + 2) * 86_400_000,
            to: to - (n + 1) * 86_400_000,
          }),
        ),
      ),
  ],
  [
    'search of devices and apps, open',
    () =>
      timesOf(times, () =>
        filled(found({ data: 'status == "ACTIVE"', orderBy: 'updatedAt', orderDir: 'desc' })),
      ),
  ],
]

/** Words of searches: a device, a rule, a part of a word, two of them. */
const words = (n: number) => {
  const kinds = [
    `Oven ${1 + ((n * 37) % devices)}`,
    `Rule ${1 + (n % 40)}`,
    'zone',
    `ule 1 en ${n}`,
  ]
  return kinds[n % kinds.length] ?? ''
}
const byWords = () =>
  timesOf(times, (n) => pageOf({ kind: 'history', search: words(n) }), kindsOfWords)
const kindsOfWords = 4

/** The same page and count with LIKE over the texts, as a program does it that keeps no index of them. */
const byLike = () =>
  timesOf(
    Math.min(times, 20),
    async (n) => {
      const like = words(n)
        .split(' ')
        .map((word) => `%${word.toLowerCase()}%`)
      const condition = `from alarms.occurrence o join alarms.device d using (device_id) where o.org = $1
        and lower(o.name || ' ' || o.tag || ' ' || o.description || ' ' || d.label) like all ($2::text[])`
      await Promise.all([
        pool.query(`select o.*, d.label ${condition} order by o.updated_t desc, o.id limit 51`, [
          org,
          like,
        ]),
        pool.query(`select count(*) from (select ${condition} limit 10001) found`, [org, like]),
      ])
    },
    1,
  )

function linesOf(what: string, taken: readonly number[], limit: number): Line[] {
  const { p50, p99 } = percentilesOf(taken)
  const line = (kind: string, ours: number) => ({ what: `${what}, ${kind}`, unit: 'ms', ours })
  return [
    { ...line('median', p50), peers: {}, better: 'less' },
    { ...line('p99', p99), peers: { limit }, better: 'less', goal: `≤ ${limit} ms` },
  ]
}

try {
  say(`writing ${searched} occurrences`)
  await addRules(pool, org)
  await fillOccurrences(pool, { rows: searched, devices, from, to: searchedTo, org })
  await pool.query('vacuum analyze alarms.device')
  const indexed = await byWords()
  const plain = await byLike()
  const [ours, peer] = [percentilesOf(indexed), percentilesOf(plain)]
  const line = (what: string, of: 'p50' | 'p99'): Line => ({
    what,
    unit: 'ms',
    ours: ours[of],
    peers: { LIKE: peer[of] },
    better: 'less',
    ...(of === 'p99' && { goal: `≤ ${limits.words} ms` }),
  })
  print(`Words in ${searched} occurrences`, [line('median', 'p50'), line('p99', 'p99')])
  say(`writing ${rows - searched} more`)
  await fillOccurrences(pool, {
    rows: rows - searched,
    devices,
    from: searchedTo,
    to,
    org,
    first: searched + 1,
  })
  await openSome(pool, org, open)
  const lines: Line[] = []
  for (const [what, measure] of pages) {
    const measured = linesOf(what, await measure(), limits.page)
    say(`${what}: ${measured.map(({ ours: ms }) => figure(ms)).join(' and ')} ms`)
    lines.push(...measured)
  }
  const counts = await timesOf(times, () => severityCount(deps)({ query: {} }, ctx))
  lines.push(...linesOf('counts by severity', counts, limits.counts))
  print(`${rows} occurrences, ${open} open`, lines)
  say(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`)
} finally {
  await stop()
}
