import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { client } from '@longreach/kit/client'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Caller } from '@longreach/kit/service'
import { platformContract } from '@longreach/platform/contract'
import { build } from 'vite'
import { openBrowser } from '../e2e/src/browser.ts'
import {
  allOnDevices,
  configurationText,
  newDeviceId,
} from '../services/platform/src/platform-testing.ts'
import { deviceRegister } from '../services/platform/src/register-testing.ts'
import { platformWith } from '../services/platform/src/service.ts'
import { argument, hasSwitch, medianMs, say } from './report.ts'

// npm run bench -- explorer [--every=5] [--points=1000000] [--browser]
// A chart of 20 series over a year as the explorer asks for it, through the whole call (admission,
// permissions, schemas, JSON), and a million points in a browser: the first draw and a zoom. Each
// figure stands beside its limit; below 1 is within.
const everyMinutes = argument('every', 5)
const points = argument('points', 1_000_000)
const series = 20
const pixels = 1000
const year = 365 * 86_400_000

const print = (what: string, ms: number, limitMs: number) =>
  say(
    `${what.padEnd(58)} ${`${ms.toFixed(1)} ms`.padStart(10)}  ${(ms / limitMs).toFixed(2)} of its limit`,
  )

if (!hasSwitch('browser')) await server()
await browser()

/** Values every few minutes over a year, asked for as means and as extremes. */
async function server() {
  const platform = await startPlatform()
  const deviceId = newDeviceId()
  const names = Array.from({ length: series }, (_, n) => `t${n}`)
  const leaves = names.map((name) => [name, { type: 'double' }] as const)
  platform.register.devices.set(deviceId, {
    label: 'Oven',
    orgResourceId: 'exor',
    realm: 'exor',
    groups: [],
    configuration: configurationText(Object.fromEntries(leaves)),
  })
  const { ann } = platform
  const params = { org: 'exor' }
  const to = Math.floor(Date.now() / 60_000) * 60_000
  const count = Math.floor(year / (everyMinutes * 60_000))
  const sources = names.map((name) => ({ deviceId, modelPath: `Probe:1/${name}` }))
  for (const [n, { modelPath }] of sources.entries()) {
    const data = Array.from({ length: count }, (_, index): [number, number] => [
      to - year + index * everyMinutes * 60_000,
      20 + n + 5 * Math.sin(index / 200) + (index % 7) / 10,
    ])
    await ann.bulkInsertTags({ params, query: {}, body: [{ deviceId, modelPath, data }] })
  }
  say(`${series} series of ${count} values`)
  const since = to - year
  const ask = async (more: object) =>
    ann.queryTags({ params, body: { sources, since, to, ...more } })
  const sampling = { size: Math.ceil(year / pixels), unit: 'milliseconds' }
  const means = await medianMs(7, () => ask({ aggregation: { type: 'average', sampling } }))
  print('20 series over a year, one mean a pixel', means, 500)
  const edges = await medianMs(7, () => ask({ downsampling: { size: pixels } }))
  print('20 series over a year, two points a pixel', edges, 500)
  await platform.close()
}

/** The platform on a PostgreSQL of its own, and a person who may do everything with devices. */
async function startPlatform() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
  const postgres = await startPostgres({ dataDir })
  const register = deviceRegister()
  const tokenOf = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
  const organization = {
    id: 1,
    name: 'exor',
    label: 'exor',
    realm: 'exor',
    resourceId: 'exor',
    dataEnabled: true,
    vpnEnabled: false,
  }
  const { app } = await serve([register.service, platformWith({})], {
    ...openDatabase(postgres.connection, () => undefined), // ends with the server below
    secrets: createSecrets(Buffer.alloc(32, 1)),
    site: { origin: 'http://bench.test', dataDir, mqttPort: 0 },
    authenticate: () => async (token) =>
      JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller,
    admit: () => async () => ({ organization, capability: allOnDevices, below: false }),
    serviceToken: () => tokenOf({ kind: 'service', sub: 'bench', username: 'bench', realm: '' }),
  })
  const token = tokenOf({ kind: 'user', sub: 'ann', username: 'ann', realm: 'exor', org: 'exor' })
  return {
    register,
    ann: client(platformContract, fetchOf(app, undefined, { authorization: `Bearer ${token}` })),
    async close() {
      await app.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The chart's own code, built alone and drawn in a page of its own. */
async function browser() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
  const entry = fileURLToPath(new URL('../packages/ui/src/chart-plot.ts', import.meta.url))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      lib: { entry, formats: ['es'], fileName: () => 'chart.js' },
    },
  })
  const code = await readFile(path.join(folder, 'chart.js'), 'utf8')
  const chromium = await openBrowser()
  try {
    const page = await chromium.newPage({ viewport: { width: 1280, height: 700 } })
    await page.setContent('<div id="chart" style="width:1200px;height:400px"></div>')
    const address = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    const content = `import { ChartPlot } from '${address}'; globalThis.ChartPlot = ChartPlot`
    await page.addScriptTag({ type: 'module', content })
    await page.waitForFunction(() => 'ChartPlot' in globalThis)
    for (const lines of [1, 10]) {
      const all: { draw: number; zoom: number }[] = []
      for (let n = 0; n < 3; n += 1) all.push(await page.evaluate(drawn, { points, lines }))
      const best = (of: 'draw' | 'zoom') => Math.min(...all.map((one) => one[of]))
      const what = `${points} points in ${lines === 1 ? 'one line' : `${lines} lines`}`
      print(`${what}: first draw`, best('draw'), 100)
      print(`${what}: zoom`, best('zoom'), 33)
    }
  } finally {
    await chromium.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Plot = { update: (content: object) => void; destroy: () => void }

/** Runs in the page: makes lines, draws them, and goes through 20 windows. */
async function drawn({ points: all, lines }: { points: number; lines: number }) {
  const { ChartPlot } = globalThis as unknown as {
    ChartPlot: new (element: Element, content: object, actions: object) => Plot
  }
  const element = document.querySelector('#chart') ?? document.body
  const count = Math.floor(all / lines)
  const times = Array.from({ length: count }, (_, index) => index * 1000)
  const made = Array.from({ length: lines }, (_, line) => ({
    id: `line ${line}`,
    name: `line ${line}`,
    color: 'rgb(31, 107, 209)',
    times,
    values: times.map((at) => line * 3 + Math.sin(at / 7e6) + Math.random() * 0.2),
  }))
  const end = count * 1000
  const content = (from: number, to: number) => ({
    series: made,
    window: { from, to },
    zone: 'UTC',
    locale: 'en',
    shades: [],
  })
  // uPlot draws in a microtask after the change.
  const settled = () => new Promise<void>((done) => queueMicrotask(() => queueMicrotask(done)))
  const actions = { cursor: () => undefined, zoom: () => undefined, zoomOut: () => undefined }
  let start = performance.now()
  const plot = new ChartPlot(element, content(0, end), actions)
  await settled()
  const draw = performance.now() - start
  const zooms: number[] = []
  for (let step = 1; step <= 20; step += 1) {
    start = performance.now()
    plot.update(content((end * step) / 50, end - (end * step) / 50))
    await settled()
    zooms.push(performance.now() - start)
  }
  plot.destroy()
  return { draw, zoom: zooms.toSorted((a, b) => a - b)[10] ?? 0 }
}
