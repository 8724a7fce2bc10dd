import { definePartContract, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'

const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

export const controlContract = definePartContract({
  endpoints: {
    /** Send the configuration once more. */
    syncStatus: {
      method: 'POST',
      path: '/organizations/:org/devices/:deviceId/status/sync',
      access: 'devices:update',
      params: ofDevice,
      result: z.object({ connected: z.boolean() }),
    },
    /** The same for clients that ask with GET; it changes nothing that a repetition would double. */
    syncStatusByGet: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/status/sync',
      access: 'devices:update',
      params: ofDevice,
      result: z.object({ connected: z.boolean() }),
    },
  },
  events: {
    /** The device is to have another configuration, which is written down: where it is connected it is sent. */
    configurationChanged: {
      topic: 'platform.configuration_changed',
      lane: laneOfDevice,
      payload: z.object({ deviceId: z.string() }),
    },
  },
})
