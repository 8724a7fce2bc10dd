import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Calls about the paths of models, for services that check what refers to them. */
export const rulePathsEndpoints = {
  /**
   * Paths of a model (`Oven:1`) as an organization may use it: its own, or the nearest that is shared with
   * it. Empty without such a model.
   */
  pathsOfModel: {
    method: 'GET',
    path: '/internal/models/paths',
    access: 'service',
    query: z.object({ organization: z.string(), model: z.string().min(1).max(500) }),
    result: z.object({ paths: z.array(z.string()) }),
  },
} as const satisfies Record<string, Endpoint>
