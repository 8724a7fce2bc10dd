import { type Event, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/**
 * Events of a device's life. Core declares them because it consumes them; mappings, which keeps the
 * devices, publishes them, so that core imports nothing of the services above it.
 */
export const deviceEvents = {
  deviceCreated: {
    topic: 'mappings.device_created',
    lane: laneOfDevice,
    payload: z.object({ deviceId, label: z.string(), orgResourceId: z.string() }),
  },
  /** Move of a device, with everything that it ever sent, to another organization. */
  deviceMoved: {
    topic: 'mappings.device_moved',
    lane: laneOfDevice,
    payload: z.object({
      deviceId,
      label: z.string(),
      from: z.string(),
      to: z.string(),
      /** Comments and the time-line of before go along. */
      notes: z.boolean().default(false),
    }),
  },
  /**
   * Deletion of a device into the trash, where it cannot connect; its restoration; or its deletion
   * for good. One topic, so that consumers receive these in their order.
   */
  deviceLife: {
    topic: 'mappings.device_life',
    lane: laneOfDevice,
    payload: z.object({
      deviceId,
      orgResourceId: z.string(),
      label: z.string(),
      state: z.enum(['deleted', 'restored', 'purged']),
    }),
  },
  /** The device's preset was set, changed or taken away, or its label, organization or groups changed. */
  deviceChanged: {
    topic: 'mappings.device_changed',
    lane: laneOfDevice,
    payload: z.object({
      deviceId,
      configurationChanged: z.boolean(),
      /** Its label as it is now, where that may have changed. */
      label: z.string().optional(),
      /** User name of the person who gave it another configuration. */
      by: z.string().optional(),
    }),
  },
} as const satisfies Record<string, Event>
