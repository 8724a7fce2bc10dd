import type { Event } from '@longreach/kit/contract'
import { z } from 'zod'

/** Path of a model that a view shows: `Oven`, `zones[*]/temperature`. */
export const ShownPath = z.object({ model: z.string(), path: z.string() })
export type ShownPath = z.output<typeof ShownPath>

/**
 * Events of saved views of the data explorer. Mappings declares them because it tells what uses a
 * model; platform, which keeps the views, publishes them.
 */
export const viewEvents = {
  /** A view was saved or, with null, deleted. */
  viewChanged: {
    topic: 'platform.view_changed',
    lane: ({ id }: { id: string }) => id,
    payload: z.object({
      id: z.uuid(),
      view: z
        .object({
          organization: z.string(),
          /** Subject of the person who made it; others see it when it is shared. */
          author: z.string(),
          shared: z.boolean(),
          name: z.string(),
          shown: z.array(ShownPath),
        })
        .nullable(),
    }),
  },
} as const satisfies Record<string, Event>
