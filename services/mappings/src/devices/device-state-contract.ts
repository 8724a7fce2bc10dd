import { type Event, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId } from '../search/device-fields-contract.ts'

/**
 * Events about the connection, configuration and alarms of a device. Mappings declares them because it shows
 * them in its lists; platform, which talks to devices, and alarms publish them.
 */
export const deviceStateEvents = {
  /** A device came or (after the grace time) went. `at` in ms since 1970. */
  deviceConnection: {
    topic: 'platform.device_connection',
    lane: laneOfDevice,
    payload: z.object({ deviceId, connected: z.boolean(), at: z.number() }),
  },
  /** A configuration was sent to the device, or the device said which one it applies. */
  configurationStatus: {
    topic: 'platform.configuration_status',
    lane: laneOfDevice,
    payload: z.object({
      deviceId,
      sent: z.boolean(),
      applied: z.boolean(),
      error: z.string().nullable(),
      at: z.number(),
    }),
  },
  /** Numbers of the open alarms of a device by severity, 0 to 6, and the worst of them, -1 without any. */
  alarmCounts: {
    topic: 'alarms.counts_changed',
    lane: laneOfDevice,
    payload: z.object({ deviceId, counts: z.array(z.int()).length(7), max: z.int() }),
  },
} as const satisfies Record<string, Event>
