import type { Page } from 'playwright-core'
import { openBrowser, signIn } from '../e2e/src/browser.ts'
import { personOf, signInByHttp } from '../e2e/src/calls.ts'
import { demoFile, startLongreach } from '../e2e/src/longreach.ts'
import { argument, say } from './report.ts'

// npm run bench -- portal-map [--devices=10000]
// How soon the device map stands, drawn without a graphics card, as a share of its limit: the clusters
// of devices all over the world and the shipped countries under them. Three tries, the best counts.
const wanted = argument('devices', 10_000)
const limitMs = 3_000
const longreach = await startLongreach({ program: 'demo' })
const browser = await openBrowser()
try {
  const demo = await demoFile(longreach)
  const anna = personOf(demo, 'anna')
  await grow(() => signInByHttp(demo.url, anna), anna.organization)
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 860 } })
  ).newPage()
  const foreign: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== demo.url) foreign.push(request.url())
  })
  await page.goto(`${demo.url}/?realm=nordwerk`)
  await signIn(page, anna)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  const times: number[] = []
  for (let n = 0; n < 3; n += 1) times.push(await readyMs(page, demo.url))
  const best = Math.min(...times)
  const text = `${Math.round(best)} ms  ${(best / limitMs).toFixed(2)} of its limit`
  process.stdout.write(`map of ${wanted} devices, ready without a graphics card: ${text}\n`)
  process.stdout.write(`requests to other hosts: ${foreign.length}\n`)
} finally {
  await browser.close()
  await longreach.stop()
}

/** Devices around ten places of the world, made as a program makes them. */
async function grow(signedIn: () => ReturnType<typeof signInByHttp>, organization: string) {
  const places = [
    [48, 9],
    [51, 12],
    [45, 10],
    [40, -4],
    [52, -1],
    [41, -87],
    [35, 139],
    [-23, -46],
    [30, 31],
    [19, 73],
  ]
  const query = new URLSearchParams({ organization })
  let call = await signedIn()
  for (let from = 0; from < wanted; from += 20) {
    // A token lives for minutes, the making of many devices takes longer.
    if (from % 2_000 === 0) call = await signedIn()
    const some = Array.from({ length: Math.min(20, wanted - from) }, (_, n) => from + n)
    await Promise.all(
      some.map((n) => {
        const [lat = 0, lon = 0] = places[n % places.length] ?? []
        const position = { lat: lat + Math.sin(n * 7) * 4, lon: lon + Math.cos(n * 13) * 5 }
        return call('POST', `mappings/api/v1/devices?${query}`, { label: `Kiln ${n}`, position })
      }),
    )
  }
  say(`${wanted} devices`)
}

/** From the navigation until the countries are drawn and the clusters stand on them. */
async function readyMs(page: Page, url: string) {
  await page.goto(`${url}/devicemap`)
  await page.locator('[data-ready] .maplibregl-marker').first().waitFor()
  return page.evaluate(() => performance.now())
}
