import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser } from '../e2e/src/browser.ts'
import { signInByHttp } from '../e2e/src/calls.ts'
import { startLongreach } from '../e2e/src/longreach.ts'
import { enterPortal } from '../e2e/src/portal.ts'
import { type BenchRule, writeRules } from './alarms/line-rules.ts'
import { databaseOf, makeLines, startLoad } from './alarms/lines.ts'
import { startMailReceiver } from './alarms/mail-receiver.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- alarm-flood [--lines=100] [--tags=25] [--rules=4] [--seconds=10] [--quiet=30]
// All values of all lines go over the limits of their rules within some seconds: 10,000 alarms, of which none may
// be lost, in a page with the open list, which has to go on drawing, with one mail for all of them. The frames of
// the same page just before are the peer.
const lines = argument('lines', 100)
const tags = argument('tags', 25)
const rulesOfEach = argument('rules', 4)
const seconds = argument('seconds', 10)
/** Seconds without a new alarm or mail after which the flood is over. */
const quiet = argument('quiet', 25)
const wanted = lines * tags * rulesOfEach
const owner = { username: 'eva', password: 'a-long-enough-word', organization: 'plant' }

const mails = await startMailReceiver()
const longreach = await startLongreach({
  env: {
    SETUP_USER: owner.username,
    SETUP_PASSWORD: owner.password,
    SETUP_ORGANIZATION: owner.organization,
    SMTP_URL: mails.url,
    MAIL_FROM: 'Longreach <noreply@longreach.example>',
  },
})
const browser = await openBrowser()
const { organization } = owner
const { pool, close } = await databaseOf(longreach)
try {
  const call = await signInByHttp(longreach.url, owner)
  const plant = await makeLines(longreach, call, { organization, lines, tags, valuesPerS: 1_000 })
  const rules = Array.from({ length: tags * rulesOfEach }, (_, n): BenchRule => {
    const [tag, limit] = [n % tags, Math.floor(n / tags)]
    return {
      name: `t${tag} above ${90 + limit}`,
      scope: { model: 'Line:1' },
      path: plant.modelPath(tag),
      op: '>',
      value: 90 + limit,
      severity: 3,
      ack: true,
    }
  })
  await writeRules(pool, organization, rules)
  await call('POST', `notification/api/v1/notifications?organization=${organization}`, {
    name: 'Everything',
    recipientFilters: ['night@plant.example'],
  })
  const demo = { url: longreach.url, people: [{ ...owner, roles: 'owner' as const }] }
  const page = await enterPortal(browser, { demo, username: owner.username })
  await page.goto(`${longreach.url}/alarms`)
  await page.locator('#page h1').waitFor()
  const load = await startLoad(plant)
  await wait(5_000)
  const calm = await framesDuring(page, () => wait(5_000))
  say(`raising ${wanted} alarms in ${seconds} s`)
  const begun = Date.now()
  const flooded = await framesDuring(page, async () => {
    for (let n = 0; n < lines * tags; n += 1) {
      load.order({ line: n % lines, tag: Math.floor(n / lines), value: 100, forMs: 3_600_000 })
      await wait(Math.max(0, begun + ((n + 1) / (lines * tags)) * seconds * 1_000 - Date.now()))
    }
  })
  say(`${flooded.perSecond.toFixed(0)} frames a second while they were raised`)
  const settled = await settledAt(begun)
  say(`${settled.alarms} alarms, ${mails.received.length} mails`)
  const unread = mails.received.filter((at) => at >= begun)
  load.stop()
  const shown = await page.locator('#page').innerText({ timeout: 20_000 })
  print(`${wanted} alarms in ${seconds} s on ${lines} devices`, [
    {
      what: 'alarms in the database',
      unit: '',
      ours: settled.alarms,
      peers: { raised: wanted },
      better: 'more',
      goal: 'all',
    },
    {
      what: 'the last one after the first value',
      unit: 's',
      ours: settled.lastS,
      peers: {},
      better: 'less',
    },
    {
      what: 'frames a second of the open list',
      unit: '1/s',
      ours: flooded.perSecond,
      peers: { 'before the flood': calm.perSecond },
      better: 'more',
      goal: '≥ 50',
    },
    {
      what: 'longest time between two frames',
      unit: 'ms',
      ours: flooded.longestMs,
      peers: { 'before the flood': calm.longestMs },
      better: 'less',
    },
    { what: 'mails', unit: '', ours: unread.length, peers: {}, better: 'less', goal: '1' },
    {
      what: 'first mail after the first value',
      unit: 's',
      ours: ((unread[0] ?? Number.NaN) - begun) / 1_000,
      peers: {},
      better: 'less',
    },
  ])
  say(`the page says: ${/[\d,. ]*10[,. ]?000[^\n]*/.exec(shown)?.[0] ?? shown.slice(0, 200)}`)
  say(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`)
} finally {
  await browser.close()
  await close()
  await longreach.stop()
  mails.stop()
}

/** Frames a second that a page draws during a work, and the longest time between two. */
async function framesDuring(page: Page, work: () => Promise<unknown>) {
  await page.evaluate(() => {
    const counted = { frames: 0, longestMs: 0, isOver: false, begun: performance.now() }
    let before = counted.begun
    const draw = (at: number) => {
      counted.frames += 1
      counted.longestMs = Math.max(counted.longestMs, at - before)
      before = at
      if (!counted.isOver) requestAnimationFrame(draw)
    }
    requestAnimationFrame(draw)
    Object.assign(globalThis, { counted })
  })
  await work()
  return page.evaluate(() => {
    const { counted } = globalThis as never as {
      counted: { frames: number; longestMs: number; isOver: boolean; begun: number }
    }
    counted.isOver = true
    const perSecond = counted.frames / ((performance.now() - counted.begun) / 1_000)
    return { perSecond, longestMs: counted.longestMs }
  })
}

/** Alarms that are there once none has come for a while and the mail has gone, and when the last one was heard of. */
async function settledAt(begun: number) {
  for (let seen = -1, since = Date.now(); ;) {
    const { rows } = await pool.query<{ alarms: number; last: Date | null }>(
      'select count(*)::int as alarms, max(heard_t) as last from alarms.occurrence where open',
    )
    const { alarms = 0, last = null } = rows[0] ?? {}
    const now = alarms + mails.received.length
    if (now !== seen) since = Date.now()
    seen = now
    if (Date.now() - since >= quiet * 1_000) {
      return { alarms, lastS: ((last?.getTime() ?? Number.NaN) - begun) / 1_000 }
    }
    await wait(1_000)
  }
}
