import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { openBrowser } from '../e2e/src/browser.ts'
import { signInByHttp, tokensByHttp } from '../e2e/src/calls.ts'
import { openLive } from '../e2e/src/live.ts'
import { type Longreach, startLongreach } from '../e2e/src/longreach.ts'
import { enterPortal } from '../e2e/src/portal.ts'
import { type BenchRule, writeRules } from './alarms/line-rules.ts'
import { databaseOf, type LineLoad, type Lines, makeLines, startLoad } from './alarms/lines.ts'
import { percentilesOf } from './alarms/percentiles.ts'
import { missingPackages, startPrometheus } from './alarms/prometheus.ts'
import { argument, hasSwitch, type Line, print, say } from './report.ts'

// npm run bench -- alarm-latency [--lines=100] [--tags=25] [--values=10000] [--seconds=30] [--raises=20] [--shown=15] [--alone]
// From the value that a device sends over MQTT with TLS to a live socket, and to the alarm on an open page, while
// all lines send so many values a second and two rules judge each of them. Prometheus with Alertmanager (not with
// --alone) reads and judges the same values each second in the same run, down to the request to a receiver.
const lines = argument('lines', 100)
const tags = argument('tags', 25)
const valuesPerS = argument('values', 10_000)
const seconds = argument('seconds', 30)
const raisesPerS = argument('raises', 20)
const shown = argument('shown', 15)
const limitMs = 300
/** Time for which a value is over its limit: Prometheus sees it in one of its looks. */
const heldMs = 3_000
const high = 90
const peerRules = [
  { name: 'high', expression: `v > ${high}` },
  { name: 'low', expression: `v < -${high}` },
]
const owner = { username: 'eva', password: 'a-long-enough-word', organization: 'plant' }

const longreach = await startLongreach({
  env: {
    SETUP_USER: owner.username,
    SETUP_PASSWORD: owner.password,
    SETUP_ORGANIZATION: owner.organization,
  },
})
try {
  const call = await signInByHttp(longreach.url, owner)
  const { organization } = owner
  const plant = await makeLines(longreach, call, { organization, lines, tags, valuesPerS })
  const { pool, close } = await databaseOf(longreach)
  await writeRules(pool, organization, rulesOf(plant))
  await close()
  say(`${lines} lines with ${tags} values each and ${2 * lines * tags} rules`)
  const load = await startLoad(plant)
  try {
    await measure(plant, load)
  } finally {
    load.stop()
  }
} finally {
  await longreach.stop()
}

/** Two rules for each series: the one raises on what is ordered, the other never. */
function rulesOf({ deviceIds, modelPath }: Lines): BenchRule[] {
  return deviceIds.flatMap((deviceId, line) =>
    Array.from({ length: tags }, (_, tag): BenchRule[] => {
      const common = { scope: { deviceId }, path: modelPath(tag) }
      const name = `Line ${line} t${tag}`
      return [
        {
          ...common,
          name: `${name} high`,
          op: '>',
          value: high,
          severity: 3,
          text: 'Mark {value} end',
        },
        { ...common, name: `${name} low`, op: '<', value: -high, severity: 3 },
      ]
    }).flat(),
  )
}

async function measure(plant: Lines, load: LineLoad) {
  const taken = { socket: [] as number[], peer: [] as number[] }
  const open = new Map<string, { at: number; socket?: true; peer?: true }>()
  load.raised.add(({ line, tag, at }) => open.set(`${line} ${tag}`, { at }))
  const missing = missingPackages()
  const isAlone = hasSwitch('alone') || missing.length > 0
  if (missing.length > 0) say(`no peer: Debian's package ${missing.join(' and ')} is missing`)
  const peer = isAlone
    ? undefined
    : await startPrometheus(load.metricsPort, peerRules, ({ line = '', tag = '' }) => {
        const raise = open.get(`${line} ${tag}`)
        if (raise && !raise.peer) taken.peer.push(Date.now() - raise.at)
        if (raise) raise.peer = true
      })
  try {
    await wait(5_000) // the first look of Prometheus, and the rules of all devices
    const stopWatching = await watchAlarms(longreach, (deviceId, at) => {
      const line = plant.deviceIds.indexOf(deviceId)
      for (const [key, raise] of open) {
        if (!key.startsWith(`${line} `) || raise.at !== at || raise.socket) continue
        raise.socket = true
        taken.socket.push(Date.now() - at)
      }
    })
    say('raising')
    const before = load.figures()
    const orders = await raiseAlarms(load)
    const after = load.figures()
    stopWatching()
    report({ orders, taken, isAlone, before, after })
    reportPage(await shownTimes(load))
  } finally {
    await peer?.stop()
  }
}

/** Orders raises of other series all the time; answers their number once all are over. */
async function raiseAlarms(load: LineLoad) {
  const begun = performance.now()
  let orders = 0
  while (performance.now() - begun < seconds * 1_000) {
    const due = ((performance.now() - begun) / 1_000) * raisesPerS
    for (; orders < due; orders += 1) {
      // Every series in turn, each line once before the first again.
      const line = orders % lines
      const tag = Math.floor(orders / lines) % tags
      load.order({ line, tag, value: high + 1, forMs: heldMs })
    }
    await wait(7)
  }
  await wait(heldMs + 3_000)
  return orders
}

/** Live socket on all alarms; calls back for each raise with the device and the time of its value. */
async function watchAlarms({ url }: Longreach, onRaise: (deviceId: string, at: number) => void) {
  const { access_token: token } = await tokensByHttp(url, owner)
  const live = await openLive(url)
  live.send({ op: 'hello', token, organization: owner.organization })
  await live.next('ready')
  live.send({ op: 'sub', id: 1, kind: 'alarms', device: '*' })
  await live.next('sub')
  live.ws.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame
    if (frame.reload) throw new Error('a frame has more changes than it holds')
    for (const { kind, device, at } of frame.changes ?? [])
      if (kind === 'raised') onRaise(device, at)
  })
  return () => live.ws.close()
}
type Frame = { changes?: { kind: string; device: string; at: number }[]; reload?: true }

/** Ms from a value to its alarm in the list of an open page, one after the other. */
async function shownTimes(load: LineLoad) {
  const browser = await openBrowser()
  try {
    const demo = { url: longreach.url, people: [{ ...owner, roles: 'owner' as const }] }
    const page = await enterPortal(browser, { demo, username: owner.username })
    await page.goto(`${longreach.url}/alarms`)
    await page.locator('#page h1').waitFor()
    await wait(2_000)
    await page.evaluate(() => {
      const seen: Record<string, number> = {}
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        for (const [mark] of (document.body.textContent ?? '').matchAll(/Mark \d+ end/g))
          seen[mark] ??= Date.now()
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    const times: number[] = []
    for (let n = 0; n < shown; n += 1) {
      const value = high + 10 + n
      const sent = new Promise<number>((done) => {
        const take = (told: { value: number; at: number }) => {
          if (told.value !== value) return
          load.raised.delete(take)
          done(told.at)
        }
        load.raised.add(take)
      })
      load.order({ line: n % lines, tag: n % tags, value, forMs: 700 })
      const at = await sent
      const isShown = await page
        .waitForFunction(
          (mark) => mark in (globalThis as never as Seen).seen,
          `Mark ${value} end`,
          { timeout: 20_000 },
        )
        .then(
          () => true,
          () => false, // said below, with what the page has instead
        )
      if (!isShown) throw new Error(`not shown: ${await page.locator('#page').innerText()}`)
      const seenAt = await page.evaluate(
        (mark) => (globalThis as never as Seen).seen[mark] ?? Number.NaN,
        `Mark ${value} end`,
      )
      times.push(seenAt - at)
      await wait(900)
    }
    return times
  } finally {
    await browser.close()
  }
}
type Seen = { seen: Record<string, number> }

type Measured = {
  orders: number
  taken: { socket: number[]; peer: number[] }
  isAlone: boolean
  before: ReturnType<LineLoad['figures']>
  after: ReturnType<LineLoad['figures']>
}

function report({ orders, taken, isAlone, before, after }: Measured) {
  if (!before || !after) throw new Error('the lines tell no figures')
  const rate = (after.acknowledged - before.acknowledged) / (after.seconds - before.seconds)
  const waiting = after.sent - after.acknowledged
  say(
    `${Math.round(rate)} values a second acknowledged, ${waiting} of ${after.sent} waiting at the end`,
  )
  say(`${orders} raises, ${taken.socket.length} at the socket`)
  if (!isAlone) say(`${taken.peer.length} at the receiver of Alertmanager`)
  const ours = percentilesOf(taken.socket)
  const peer = percentilesOf(taken.peer)
  const line = (what: string, figure: number, of: number): Line => ({
    what,
    unit: 'ms',
    ours: figure,
    peers: { 'Prometheus, Alertmanager': isAlone ? undefined : of },
    better: 'less',
  })
  print(`From the value to the alarm, ${valuesPerS} values a second, ${2 * lines * tags} rules`, [
    line('live socket, median', ours.p50, peer.p50),
    { ...line('live socket, p99', ours.p99, peer.p99), goal: `≤ ${limitMs} ms, ≤ 0.2 of it` },
    line('live socket, longest', ours.longest, peer.longest),
  ])
  say(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`)
}

function reportPage(times: readonly number[]) {
  const { p50, longest } = percentilesOf(times)
  const limit = {
    unit: 'ms',
    peers: { limit: limitMs },
    better: 'less',
    goal: `≤ ${limitMs} ms`,
  } as const
  print(`From the value to the list of an open page, ${times.length} alarms`, [
    { what: 'median', ours: p50, ...limit },
    { what: 'longest', ours: longest, ...limit },
  ])
  say(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`)
}
