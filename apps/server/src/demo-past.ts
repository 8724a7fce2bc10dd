import { newOven, newStation, switchedOn } from '@longreach/edge/demo-plant-plan'
import { pastOf, type Slice } from '@longreach/edge/plant-past'
import { linkChanges } from '@longreach/edge/plant-plan'
import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import type { PlannedDevice } from './demo-plan.ts'
import { type Owner, ownerOf } from './demo-seed.ts'

const dayMs = 86_400_000

/** Past values of a machine, in slices of a day; the computer's own figures have no past. */
function* pastValues({ kind, plan, pathBelow }: PlannedDevice, began: number): Generator<Slice> {
  if (kind === 'gateway' || pathBelow === undefined) return
  const span = { to: began, sliceMs: dayMs }
  if (kind === 'oven') yield* pastOf(newOven(plan, began), span)
  else yield* pastOf(newStation(plan, began), span)
}

/** Imports thirty days of simulated values, through the same call as any import. */
export async function writePast(
  server: Composed,
  people: readonly Owner[],
  past: { devices: readonly PlannedDevice[]; began: number; ending: AbortSignal },
) {
  for (const device of past.devices) {
    const { organization: org, deviceId, pathBelow } = device
    const owner = ownerOf(people, org)
    for (const slice of pastValues(device, past.began)) {
      past.ending.throwIfAborted()
      const body = [...slice].map(([path, data]) => ({
        deviceId,
        modelPath: `${pathBelow}/${path}`,
        data,
      }))
      const platform = client(platformContract, await server.fetchAsPerson(owner))
      await platform.bulkInsertTags({ params: { org }, query: {}, body })
    }
  }
}

/** Adds the connections and disconnections of the thirty days to the history. */
export async function addPastConnections(
  server: Composed,
  devices: readonly PlannedDevice[],
  began: number,
) {
  const platform = client(platformContract, await server.fetchAsService())
  const tell = async ({ deviceId, plan }: PlannedDevice) => {
    const changes = linkChanges(plan, switchedOn(began), began)
    const body = { changes, ip: '127.0.0.1' } // the agents run on this machine
    await platform.insertConnections({ params: { deviceId }, body })
  }
  await Promise.all(devices.filter(({ kind }) => kind !== 'gateway').map(tell))
}
