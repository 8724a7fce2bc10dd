import { setTimeout as wait } from 'node:timers/promises'
import { connectDevice, type Paired, reportWrites } from '../device.ts'
import type { GroupServer } from '../server-group.ts'
import type { Chance } from './chance.ts'
import type { Findings } from './findings.ts'
import { deviceOfValue, isWritten, sentValue } from './numbers.ts'
import type { Uptimes } from './uptimes.ts'

/** Time after which nobody hears a device or person whose right was revoked. */
export const heardForMs = 10_000

type Facts = { deviceId: string; organization: string; index: number; path: string; paired: Paired }
type World = {
  servers: readonly GroupServer[]
  uptimes: Uptimes
  findings: Findings
  chance: Chance
}
type Connected = Awaited<ReturnType<typeof connectDevice>> & {
  sendValue: Awaited<ReturnType<typeof reportWrites>>
}

const lanes = 3

/** Device that sends numbered values to any server that takes them, and keeps what was acknowledged. */
export function startSender(facts: Facts, world: World) {
  const { uptimes, findings, chance } = world
  const { index } = facts
  const acknowledged = new Map<number, number>()
  let line: { device: Connected; server: number } | undefined
  let state: 'sends' | 'quiet' | 'over' = 'sends'
  let revokedAt: number | undefined
  let count = 0
  let latest = 0

  const heard = (what: string, server: number, at: number) =>
    checkHeard(`${what} of device ${index}`, { server, at, revokedAt }, { uptimes, findings })
  /** A series has one value for each time, so no two values of a device have the same. */
  const time = () => {
    latest = Math.max(latest + 1, Date.now())
    return new Date(latest)
  }
  const send = async ({ device, server }: NonNullable<typeof line>) => {
    const v = sentValue(index, (count += 1))
    const at = Date.now()
    const t = time()
    await device.sendValue(v, t)
    heard('a value', server, at)
    acknowledged.set(v, t.getTime())
    findings.count('values acknowledged')
    return v
  }
  const lane = async (on: NonNullable<typeof line>) => {
    while (line === on && state !== 'over') {
      if (state === 'sends') await send(on)
      await wait(chance.between(20, 120))
    }
  }
  const connect = async () => {
    const on = await connectAnywhere(facts, world, time)
    heard('a connection', on.server, on.began)
    checkWritten(facts, findings, on.device)
    findings.count('connections of devices')
    return on
  }
  const run = async () => {
    while (state !== 'over') {
      const on = await connect().catch(() => undefined) // refused or lost: tried elsewhere
      if (on) {
        line = on
        const lost = new Promise<void>((done) => on.device.client.once('close', () => done()))
        const work = Array.from({ length: lanes }, () => lane(on).catch(() => undefined)) // lost with the connection
        await Promise.race([lost, Promise.all(work)])
        line = undefined
        on.device.client.end(true)
        await Promise.all(work)
      }
      await wait(chance.between(100, 1_000))
    }
  }
  const ended = run()
  return {
    ...facts,
    /** Times (ms since 1970) of acknowledged values. */
    acknowledged,
    server: () => line?.server,
    isConnected: () => line?.device.client.connected === true,
    isRevoked: () => revokedAt !== undefined,
    /** Newest value that was acknowledged. */
    newest: () => [...acknowledged.keys()].reduce((high, v) => Math.max(high, v), 0),
    revoked() {
      revokedAt = Date.now()
    },
    /** Stays connected and sends nothing more by itself. */
    quiet() {
      state = 'quiet'
    },
    /** Sends one value over the present connection. */
    async sendOne() {
      if (!line) throw new Error(`device ${index} is not connected`)
      return send(line)
    },
    async stop() {
      state = 'over'
      line?.device.client.end(true)
      await ended
    },
  }
}
/** Connection to any of the servers; throws when it does not run or refuses. */
async function connectAnywhere(
  { paired }: Facts,
  { servers, chance }: World,
  time: () => Date,
): Promise<{ device: Connected; server: number; began: number }> {
  const server = chance.between(0, servers.length - 1)
  const began = Date.now()
  const broker = `mqtts://localhost:${servers[server]?.mqttPort ?? 0}`
  const device = await connectDevice({ ...paired, broker }, { keepalive: 3, connectTimeout: 4_000 })
  device.client.on('error', () => undefined) // the end of the connection follows
  const sendValue = await reportWrites(device, 'tag.double', time)
  return { device: { ...device, sendValue }, server, began }
}

type Heard = { server: number; at: number; revokedAt: number | undefined }

/** Nothing of a device is heard once its server ran long enough since its right was revoked. */
function checkHeard(
  what: string,
  { server, at, revokedAt }: Heard,
  { uptimes, findings }: Pick<World, 'uptimes' | 'findings'>,
) {
  if (revokedAt === undefined || at < revokedAt) return
  const ranMs = uptimes.ranMs(server, revokedAt, at)
  if (ranMs > heardForMs)
    findings.fault(`${what} was heard by server ${server} ${ranMs} ms after its right was revoked`)
}

/** A device is told only what somebody wrote to this very device. */
function checkWritten({ index, organization }: Facts, findings: Findings, device: Connected) {
  let checked = 0
  device.client.on('message', () => {
    for (const { v } of device.written.slice(checked)) {
      const isOwn = typeof v === 'number' && isWritten(v) && deviceOfValue(v) === index
      if (!isOwn) findings.fault(`device ${index} of ${organization} was told ${String(v)}`)
      findings.count('values taken by devices')
    }
    checked = device.written.length
  })
}

export type Sender = ReturnType<typeof startSender>
