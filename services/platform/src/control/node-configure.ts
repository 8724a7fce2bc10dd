import { defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import { z } from 'zod'
import type { PlatformDeps } from '../deps.ts'
import { Asker, deviceForAsker } from '../devices/asker.ts'
import type { Device } from '../devices/device.ts'
import type { Directory } from '../devices/device-directory.ts'
import { askHolder } from '../lines/line-calls.ts'
import type { Configuring } from './device-configuring.ts'

/** Sending of a configuration once more, by the process that the device is connected to. */
const configureSubject = defineSubject({
  subject: 'node.:node.configure',
  request: z.object({ asker: Asker, deviceId: z.string(), organization: z.string() }),
  reply: z.object({ known: z.boolean() }),
})

/** Sends a device its configuration again, by this process or by the one that it is connected to. */
export async function configureAgain(
  configuring: Configuring,
  deps: PlatformDeps,
  { asker, device }: { asker: Asker; device: Device },
) {
  const { id: deviceId, org: organization } = device
  const request = { asker, deviceId, organization }
  const asked = await askHolder(deps, configureSubject, { deviceId, request })
  if (!asked) await configuring.configure(device)
}

/** Takes the same of other processes, with the rights that who asks has here and now. */
export const answerConfigures = (
  configuring: Configuring,
  directory: Directory,
  { admit, fabric, ownProcess }: PlatformDeps,
) =>
  fabric.answer(
    { ...configureSubject, ...subjectAt(configureSubject, { node: ownProcess.number }) },
    async ({ asker, deviceId, organization }) => {
      await directory.refresh(deviceId)
      const asked = { asker, deviceId, action: 'update' } as const
      const { device } = await deviceForAsker({ directory, admit }, asked)
      const known = device.org === organization
      if (known) await configuring.configure(device)
      return { known }
    },
  )
