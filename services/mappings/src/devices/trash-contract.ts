import { dataPage, type Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, listQuery } from '../asked-contract.ts'
import { label } from './device-contract.ts'
import { Device } from '../search/device-fields-contract.ts'

/** A deleted device: it can be restored until it is purged. */
export const DeletedDevice = Device.extend({
  deletedAt: z.number(),
  deletedBy: z.string(),
  purgedAt: z.number(),
})
export type DeletedDevice = z.output<typeof DeletedDevice>

export const trashEndpoints = {
  deletedDevices: {
    method: 'GET',
    path: '/devices/trash',
    access: 'devices:delete',
    query: z.object(listQuery),
    result: dataPage(DeletedDevice),
  },
  /** Bring a device back as it was; under another name where its own is taken meanwhile. */
  restoreDevice: {
    method: 'POST',
    path: '/devices/:id/restore',
    access: 'devices:delete',
    params: z.object({ id: z.string() }),
    query: inOrganization,
    body: z.object({ label: label.optional() }),
    result: z.object({ value: Device }),
  },
  /** Delete for good what is in the trash, before its time. */
  purgeDevice: {
    method: 'DELETE',
    path: '/devices/trash/:id',
    access: 'devices:delete',
    params: z.object({ id: z.string() }),
    query: inOrganization,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
