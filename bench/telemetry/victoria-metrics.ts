import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { total } from './chunks.ts'
import type { Peer, Span } from './peer.ts'

const program = 'victoria-metrics'
export const hasVictoriaMetrics = () => spawnSync(program, ['-version']).status === 0

/** Debian's package. It answers before its data is on disk, and keeps about 15 digits. */
export function victoriaMetrics(): Peer {
  const server = vmServer()
  const pick = (series: number[]) => `v{s=~"${series.join('|')}"}`
  const seconds = ({ since, to }: Span) => ({ start: `${since / 1000}`, end: `${(to - 1) / 1000}` })
  return {
    name: 'VictoriaMetrics',
    open: () => server.open(),
    prepare({ series, t, v }) {
      const lines = series.map((id, row) => `v{s="${id}"} ${v[row]} ${t[row]}\n`)
      const text = Buffer.from(lines.join(''))
      return () => server.ask('POST', '/api/v1/import/prometheus', text)
    },
    async settle() {
      await server.ask('GET', '/internal/force_flush')
    },
    bytes: () => server.bytes(),
    async last(series) {
      const body = await server.query('query', { query: `last_over_time(${pick(series)}[1d])` })
      const found = results(body)
      return { count: found.length, sum: total(found, ({ value }) => Number(value?.[1])) }
    },
    async raw(series, span) {
      const body = await server.query('export', { 'match[]': `v{s="${series}"}`, ...seconds(span) })
      const lines = body.split('\n').filter(Boolean)
      const values = lines.flatMap((line) => (JSON.parse(line) as { values: number[] }).values)
      return { count: values.length, sum: total(values, (value) => value) }
    },
    async buckets(series, { since, to }, width) {
      // A window ends with the time it is asked for and does not hold its beginning.
      const times = { start: `${(since + width - 1) / 1000}`, end: `${(to - 1) / 1000}` }
      const query = `rollup(${pick(series)}[${width}ms])`
      const found = results(
        await server.query('query_range', { query, step: `${width}ms`, ...times }),
      )
      const of = (figure: string) => found.filter(({ metric }) => metric.rollup === figure)
      const sumOf = (figure: string) =>
        total(of(figure), ({ values = [] }) => total(values, ([, value]) => Number(value)))
      return {
        count: total(of('max'), ({ values = [] }) => values.length),
        sum: sumOf('max') + sumOf('avg'),
      }
    },
    close: () => server.close(),
  }
}

function vmServer() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  let port = 0
  let folder = ''
  let child: ChildProcess
  const ask = (method: string, where: string, body?: string | Buffer) =>
    send(agent, { port, method, path: where }, body)
  async function start() {
    const args = [
      `-storageDataPath=${folder}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=12',
      '-search.disableCache',
      '-search.maxUniqueTimeseries=100000',
      '-search.latencyOffset=0s',
    ]
    child = spawn(program, args, { stdio: 'ignore' })
    for (;;) {
      const up = await ask('GET', '/health').then(
        () => true,
        () => false, // not listening yet
      )
      if (up) return
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  async function stop() {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGINT')
    await ended
  }
  return {
    ask,
    query: (kind: 'query' | 'query_range' | 'export', values: Record<string, string>) =>
      ask('GET', `/api/v1/${kind}?${new URLSearchParams(values).toString()}`),
    async open() {
      folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-vm-'))
      port = await freePort()
      await start()
    },
    async bytes() {
      await stop() // only an orderly end brings everything to disk
      const size = spawnSync('du', ['-sb', folder]).stdout.toString()
      await start()
      return Number.parseInt(size, 10)
    },
    async close() {
      await stop()
      agent.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Found = {
  metric: Record<string, string>
  value?: [number, string]
  values?: [number, string][]
}
const results = (body: string) => (JSON.parse(body) as { data: { result: Found[] } }).data.result

function send(
  agent: http.Agent,
  target: { port: number; method: string; path: string },
  body?: string | Buffer,
) {
  return new Promise<string>((resolve, reject) => {
    const request = http.request({ agent, host: '127.0.0.1', ...target }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if ((answer.statusCode ?? 500) < 300) resolve(text)
        else reject(new Error(`${target.path}: ${answer.statusCode} ${text.slice(0, 300)}`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function freePort() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
