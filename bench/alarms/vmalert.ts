import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../e2e/src/server-group.ts'

/** True when Debian's package victoria-metrics is here, which has vmalert. */
export const hasVmalert = () =>
  ['victoria-metrics', 'vmalert'].every((one) => spawnSync(one, ['-version']).status === 0)

type Range = { from: number; to: number }
/** Series as VictoriaMetrics exports it. */
type Exported = { timestamps: number[] }
/** Pause in the points of an alert that lasts (ms): a point a second. */
const longestStepMs = 5_000

/** VictoriaMetrics with values of one series, on which vmalert replays a rule; values come in pages. */
export async function openReplay() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-vmalert-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const server = spawn(
    'victoria-metrics',
    [
      `-storageDataPath=${folder}/data`,
      `-httpListenAddr=${new URL(url).host}`,
      '-retentionPeriod=12',
      '-search.maxPointsPerTimeseries=5000000',
      '-search.latencyOffset=0s',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  server.stderr.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-2_000)))
  const ask = async (where: string, body?: string) => {
    const answer = await fetch(`${url}${where}`, body === undefined ? {} : { method: 'POST', body })
    if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  while (!(await isUp(`${url}/health`))) {
    if (server.exitCode !== null) throw new Error(`victoria-metrics ended: ${said}`)
    await new Promise((done) => setTimeout(done, 50))
  }
  const rules = await writeRules(folder)
  return {
    append: (t: readonly number[], v: readonly number[]) =>
      ask('/api/v1/import/prometheus', t.map((time, at) => `v ${v[at]} ${time}\n`).join('')),
    settle: () => ask('/internal/force_flush'),
    /** Seconds of one replay, in as few questions as the server allows. */
    async replay({ from, to }: Range) {
      const begun = performance.now()
      const child = spawn(
        'vmalert',
        [
          `-rule=${rules}`,
          `-datasource.url=${url}`,
          // Without it the values are asked for in steps of five minutes.
          '-datasource.queryStep=1s',
          `-remoteWrite.url=${url}`,
          `-replay.timeFrom=${new Date(from).toISOString()}`,
          `-replay.timeTo=${new Date(to).toISOString()}`,
          '-replay.maxDatapointsPerQuery=100000',
          '-replay.rulesDelay=0s',
          '-replay.disableProgressBar',
          `-httpListenAddr=127.0.0.1:${await freePort()}`,
        ],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      )
      let output = ''
      child.stderr.on('data', (part: Buffer) => (output += part.toString()))
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`vmalert ended with ${code}: ${output.slice(-2_000)}`)
      return (performance.now() - begun) / 1_000
    },
    /** Number of alerts that the replays have found. */
    async found() {
      await ask('/internal/force_flush')
      const match = encodeURIComponent('ALERTS{alertname="high",alertstate="firing"}')
      return alertsIn(await ask(`/api/v1/export?match[]=${match}`))
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Number of alerts in lines of exported series: each has a point a second. */
function alertsIn(text: string) {
  const lines = text.split('\n').filter((line) => line !== '')
  const times = lines
    .flatMap((line) => (JSON.parse(line) as Exported).timestamps)
    .toSorted((one, other) => one - other)
  return times.filter((t, at) => at === 0 || t - (times[at - 1] ?? t) > longestStepMs).length
}

/** Writes the rule that is replayed; the answer is its file. */
async function writeRules(folder: string) {
  const rules = path.join(folder, 'rules.yml')
  await writeFile(
    rules,
    `groups:
  - name: bench
    interval: 1s
    rules:
      - alert: high
        expr: v > 90
        for: 10s
`,
  )
  return rules
}

const isUp = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false, // not listening yet
  )
