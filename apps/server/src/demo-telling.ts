import { setTimeout as pause } from 'node:timers/promises'
import { client } from '@longreach/kit/client'
import { platformContract } from '@longreach/platform/contract'
import type { Composed } from './compose.ts'
import { writePast } from './demo-past.ts'
import type { PlannedDevice } from './demo-plan.ts'
import type { SeededPerson } from './demo-seed.ts'
import { storyComments } from './demo-story.ts'

type Teller = Pick<SeededPerson, 'username' | 'organization' | 'roles' | 'sub' | 'realm'>
type Told = { devices: readonly PlannedDevice[]; began: number; ending: AbortSignal }

/**
 * Adds the slow parts of the demo after the start: past values, comments, one set-point. Fails with
 * the reason of `ending` when that is aborted.
 */
export async function writeDemoPast(
  server: Composed,
  people: readonly Teller[],
  { devices, began, ending }: Told,
) {
  await writePast(server, people, { devices, began, ending })
  for (const { machine, by, ...comment } of storyComments(began)) {
    const device = devices.find(({ name }) => name === machine)
    if (!device) continue
    ending.throwIfAborted()
    const platform = client(platformContract, await server.fetchAsPerson(findTeller(people, by)))
    const { organization: org, deviceId } = device
    await platform.addComment({ params: { org, deviceId }, body: comment })
  }
  const oven = devices.find(({ name }) => name === 'oven')
  if (oven) await writeSetPoint(server, findTeller(people, 'eva'), { device: oven, ending })
}

function findTeller(people: readonly Teller[], username: string) {
  const person = people.find((one) => one.username === username)
  if (!person) throw new Error(`There is no ${username}`)
  return person
}

const setPoint = 'OvenLine:1/zone3/setPoint'
const lookEveryMs = 500

/** Writes the operator's first set-point; waits until the machine is connected. */
async function writeSetPoint(
  server: Composed,
  person: Teller,
  { device, ending }: { device: PlannedDevice; ending: AbortSignal },
) {
  const params = { org: device.organization, deviceId: device.deviceId }
  for (;;) {
    const platform = client(platformContract, await server.fetchAsPerson(person))
    const shown = await platform.series({ params })
    const last = shown.find(({ modelPath }) => modelPath === setPoint)?.last
    const { connected } = await platform.connections({ params, query: { limit: 1 } })
    if (connected && last && typeof last.v === 'number') {
      const data = [{ modelPath: setPoint, v: last.v - 3 }]
      const reason = 'Crust a little too dark on the last batch: three degrees less'
      await platform.writeTags({ params, body: { data, timeoutMs: 30_000, reason } })
      return
    }
    await pause(lookEveryMs, undefined, { signal: ending })
  }
}
