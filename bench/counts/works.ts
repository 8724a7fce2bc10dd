import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Calls, signInByHttp } from '../../e2e/src/calls.ts'
import { connectDevice, reportWrites } from '../../e2e/src/device.ts'
import { type GroupServer, owner } from '../../e2e/src/server-group.ts'
import { modelPath, type Plant, type PlantDevice } from '../growth/plant.ts'
import { sendHalfHour } from '../growth/send.ts'
import type { Load } from '../mqtt/load.ts'
import { openSession } from '../mqtt/session.ts'
import type { Counters } from './counted.ts'

type Options = { plant: Plant; counters: Counters; each: number }
const { organization } = owner

async function until(holds: () => Promise<boolean>) {
  while (!(await holds())) await wait(100)
}

/** Works of all servers at once, the same for each of them; each answers how many units were done. */
export function createWorks({ plant, counters, each }: Options) {
  const devicesOf = (at: number) => plant.devices.slice(at * each, (at + 1) * each)
  const calls = new Map<GroupServer, Calls>()
  const callOf = (server: GroupServer) => {
    const call = calls.get(server)
    if (!call) throw new Error(`not signed in at ${server.own}`)
    return call
  }
  let sockets: TLSSocket[] = []
  /** Server beside each of the servers: the next one, or itself where it is alone. */
  const besideOf = (servers: readonly GroupServer[], at: number) =>
    servers[(at + 1) % servers.length]

  return {
    /** Until every server has taken its part in what was published. */
    async settle() {
      await until(counters.areEventsSeen)
      await wait(2_500)
    },
    /** Signs in everywhere, for the five minutes of a token, so that no sign-in is counted. */
    async signIn(servers: readonly GroupServer[]) {
      for (const server of servers) calls.set(server, await signInByHttp(server.own, owner))
    },
    async connect(servers: readonly GroupServer[]) {
      const opened = servers.map(async ({ mqttPort }, at) => {
        const own: TLSSocket[] = []
        for (const device of devicesOf(at))
          own.push(await openSession({ port: mqttPort, ...device }))
        return own
      })
      sockets = (await Promise.all(opened)).flat()
      for (const socket of sockets) socket.on('error', () => undefined) // its end is wanted
      await until(async () => (await counters.countConnected()) === sockets.length)
      return sockets.length
    },
    async disconnect() {
      for (const socket of sockets) socket.destroy()
      await until(async () => (await counters.countLines()) === 0)
      return sockets.length
    },
    values: (servers: readonly GroupServer[]) => sendValues(plant, servers, devicesOf),
    /** Each server's device is written to from the next server. */
    async prepareWrites(servers: readonly GroupServer[]) {
      const all = servers.map(async ({ mqttPort }, at) => {
        const [paired = plant.first] = devicesOf(at)
        const device = await connectDevice({ ...paired, broker: `mqtts://localhost:${mqttPort}` })
        await reportWrites(device, 'tag.double')
        return { device, paired }
      })
      const devices = await Promise.all(all)
      return {
        async write(times: number) {
          const lanes = devices.map(async ({ paired }, at) => {
            const server = besideOf(servers, at)
            if (server) await writeTo(callOf(server), paired, times)
          })
          await Promise.all(lanes)
          return times * devices.length
        },
        async close() {
          for (const { device } of devices) await device.close()
          await until(async () => (await counters.countLines()) === 0)
        },
      }
    },
    sendHalfHour: (servers: readonly GroupServer[]) => sendHalfHour(plant, servers),
    /** Each server's device is asked for at the next server. */
    async charts(servers: readonly GroupServer[], times: number) {
      const lanes = servers.map(async (_, at) => {
        const server = besideOf(servers, at)
        const { deviceId } = plant.charted[at] ?? plant.first
        if (server) await askCharts(callOf(server), deviceId, times)
      })
      await Promise.all(lanes)
      return times * servers.length
    },
  }
}

async function writeTo(call: Calls, { deviceId }: PlantDevice, times: number) {
  const path = `platform/api/v1/organizations/${organization}/devices/${deviceId}/tags`
  for (let n = 0; n < times; n += 1)
    await call('POST', path, { data: [{ modelPath, v: n }], timeoutMs: 30_000 })
}

async function askCharts(call: Calls, deviceId: string, times: number) {
  const to = Date.now()
  const body = {
    sources: [{ deviceId, modelPath }],
    since: to - 86_400_000,
    to,
    aggregation: { type: 'average', sampling: { size: 5, unit: 'minutes' } },
  }
  for (let n = 0; n < times; n += 1)
    await call('POST', `platform/api/v1/organizations/${organization}/devices/tags/query`, body)
}

const messages = 1_000

/** Values of QoS 1 that nobody watches, 20 of each device under way. */
async function sendValues(
  { topic, first }: Plant,
  servers: readonly GroupServer[],
  devicesOf: (at: number) => PlantDevice[],
) {
  const workers = servers.map(({ mqttPort }, at) => {
    const clients = devicesOf(at)
    const load: Load = {
      port: mqttPort,
      ca: first.ca,
      clients,
      topic,
      qos: 1,
      messages,
      window: 20,
    }
    return new Worker(new URL('../mqtt/load.ts', import.meta.url), { workerData: load })
  })
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  return {
    async send() {
      await Promise.all(
        workers.map((worker) => {
          const done = once(worker, 'message')
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
          worker.postMessage('go')
          return done
        }),
      )
      return servers.reduce((sum, _, at) => sum + devicesOf(at).length * messages, 0)
    },
    async close() {
      for (const worker of workers) await worker.terminate()
    },
  }
}
