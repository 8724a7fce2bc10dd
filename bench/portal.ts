import type { Browser, CDPSession, Page } from 'playwright-core'
import { bundleSizes } from '../apps/portal/bundle-size.ts'
import { openBrowser, signIn } from '../e2e/src/browser.ts'
import { personOf } from '../e2e/src/calls.ts'
import { demoFile, startLongreach } from '../e2e/src/longreach.ts'

// Portal sizes, and how soon a page stands on two networks, each as a share of its limit: below 1 is
// within. Three tries, the best counts: what disturbs is the machine, never the page.

const tries = 3
const networks = {
  'cold, 10 Mbit/s, 40 ms': { mbit: 10, latency: 40, cpu: 1, limitMs: 1_200 },
  'cold, 1.6 Mbit/s, 150 ms, half CPU': { mbit: 1.6, latency: 150, cpu: 2, limitMs: 2_500 },
} as const

type Load = { lcp: number; cls: number }

const print = (what: string, value: string, ratio: number) =>
  process.stdout.write(
    `${what.padEnd(58)} ${value.padStart(10)}  ${ratio.toFixed(2)} of its limit\n`,
  )

for (const { what, kB, budgetKB } of bundleSizes())
  print(what, `${kB.toFixed(1)} kB`, kB / budgetKB)

const longreach = await startLongreach({ program: 'demo' })
const browser = await openBrowser()
const demo = await demoFile(longreach)
try {
  for (const [name, network] of Object.entries(networks)) {
    const door = await best(() => measured(browser, `${demo.url}/login?choose`, network))
    print(`door, ${name}: LCP`, `${Math.round(door.lcp)} ms`, door.lcp / network.limitMs)
    print(`door, ${name}: CLS`, door.cls.toFixed(3), door.cls / 0.02)
  }
  await signedIn()
} finally {
  await browser.close()
  await longreach.stop()
}

/** The devices page of a person who is signed in, warm and with nothing kept. */
async function signedIn() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${demo.url}/?realm=nordwerk`)
  await signIn(page, personOf(demo, 'eva'))
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  for (const [name, network] of Object.entries(networks)) {
    const cold = await best(() => reloaded(page, network, true))
    print(`devices, ${name}: LCP`, `${Math.round(cold.lcp)} ms`, cold.lcp / network.limitMs)
    print(`devices, ${name}: CLS`, cold.cls.toFixed(3), cold.cls / 0.02)
  }
  const warm = await best(() => reloaded(page, undefined, false))
  print('devices, warm: LCP', `${Math.round(warm.lcp)} ms`, warm.lcp / 500)
  await context.close()
}

async function best(run: () => Promise<Load>) {
  const all: Load[] = []
  for (let n = 0; n < tries; n += 1) all.push(await run())
  return {
    lcp: Math.min(...all.map(({ lcp }) => lcp)),
    cls: Math.min(...all.map(({ cls }) => cls)),
  }
}

type Network = { mbit: number; latency: number; cpu: number }

async function measured(from: Browser, url: string, network: Network) {
  const context = await from.newContext()
  const page = await context.newPage()
  await slow(await context.newCDPSession(page), network)
  await page.goto(url)
  const load = await settled(page)
  await context.close()
  return load
}

async function reloaded(page: Page, network: Network | undefined, cold: boolean) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: cold })
  await slow(session, network ?? { mbit: 1_000, latency: 0, cpu: 1 })
  await page.goto(`${demo.url}/devices`)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  const load = await settled(page)
  await session.detach()
  return load
}

async function slow(session: CDPSession, { mbit, latency, cpu }: Network) {
  const throughput = (mbit * 1_000_000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
}

/** Largest paint (ms since the navigation that shows the page) and layout shift, once two seconds are quiet. */
async function settled(page: Page): Promise<Load> {
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise<{ lcp: number; cls: number }>((done) => {
        let lcp = 0
        let cls = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) lcp = entry.startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            cls += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done({ lcp, cls }), 500)
      }),
  )
}
