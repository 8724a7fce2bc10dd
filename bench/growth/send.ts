import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { GroupServer } from '../../e2e/src/server-group.ts'
import type { Load } from '../mqtt/load.ts'
import { halfHourMs, type Plant, type PlantDevice } from './plant.ts'

/** Sends values of devices from a worker; answers the seconds from the first to the last acknowledgement. */
export async function send(
  { topic, first }: Plant,
  { mqttPort: port }: GroupServer,
  clients: PlantDevice[],
  values: Pick<Load, 'messages' | 'times'>,
) {
  const load: Load = { port, ca: first.ca, clients, topic, qos: 1, window: 20, ...values }
  const worker = new Worker(new URL('../mqtt/load.ts', import.meta.url), { workerData: load })
  await once(worker, 'message')
  const done = once(worker, 'message')
  const began = performance.now()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage('go')
  await done
  const tookS = (performance.now() - began) / 1_000
  await worker.terminate()
  return tookS
}

/** Sends a value a second of the next half hour to each server, from the device that charts of its neighbour show. */
export async function sendHalfHour(plant: Plant, servers: readonly GroupServer[]) {
  const times = { from: plant.from, everyMs: 1_000 }
  plant.from += halfHourMs
  await Promise.all(
    servers.map((server, at) =>
      send(plant, server, plant.charted.slice(at, at + 1), { messages: halfHourMs / 1_000, times }),
    ),
  )
}
