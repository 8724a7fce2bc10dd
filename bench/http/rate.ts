import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

type Asked = { url: string; token?: string }
type Load = { connections: number; seconds: number }
export type Rate = { perSecond: number; medianMs: number; p99Ms: number; cpuUs: number }

/** Requests a second from a process of its own, how long each took, and what it cost this process. */
export async function rateOf({ url, token }: Asked, { connections, seconds }: Load): Promise<Rate> {
  const require = createRequire(import.meta.url)
  const args = ['-j', '-c', String(connections), '-d', String(seconds)]
  if (token !== undefined) args.push('-H', `authorization=Bearer ${token}`)
  const before = process.cpuUsage()
  const child = spawn(process.execPath, [require.resolve('autocannon'), ...args, url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  await new Promise((done) => child.once('close', done))
  const { user, system } = process.cpuUsage(before)
  const result = JSON.parse(text) as {
    requests: { average: number }
    latency: { p50: number; p99: number }
    '2xx': number
    non2xx: number
  }
  if (result.non2xx > 0 || result['2xx'] === 0) throw new Error(`${url} did not answer 200`)
  return {
    perSecond: result.requests.average,
    medianMs: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuUs: (user + system) / result['2xx'],
  }
}

/** The middle of some figures. */
export const middle = (figures: readonly number[]) =>
  figures.toSorted((one, other) => one - other)[figures.length >> 1] ?? 0
