import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Calls about the models that rules are for, for services that check what refers to them. */
export const rulePathsEndpoints = {
  /**
   * Models that an organization may mean by a name and first number of the version (`Oven:1`): its own, and
   * those that organizations above share, the nearest first. Empty without such a model.
   */
  modelsOfName: {
    method: 'GET',
    path: '/internal/models/of-name',
    access: 'service',
    query: z.object({ organization: z.string(), model: z.string().min(1).max(500) }),
    result: z.object({
      models: z.array(
        z.object({
          organization: z.string(),
          /** Of each version with this first number, the oldest first. */
          ids: z.array(z.string()),
          /** Paths of the newest of these versions. */
          paths: z.array(z.string()),
        }),
      ),
    }),
  },
} as const satisfies Record<string, Endpoint>
