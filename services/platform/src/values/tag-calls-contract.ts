import { rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { pathPattern } from '../queries/path-pattern-contract.ts'
import { PlatformTags, tagQuestion } from '../queries/tag-contract.ts'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

export const tagEndpoints = {
  tags: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/tags',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
    files: ['text/csv'],
  },
  queryTags: {
    method: 'POST',
    path: '/organizations/:org/devices/tags/query',
    reads: true,
    access: 'devices:read',
    params: ofOrganization,
    body: z.object({
      sources: z
        .array(
          z.object({
            deviceId: z.string().max(100),
            modelPath: pathPattern,
            tagName: z.string().max(2_000).optional(),
          }),
        )
        .min(1)
        .max(1_000),
      ...tagQuestion,
    }),
    result: z.array(PlatformTags),
    files: ['text/csv'],
  },
  tagsByName: {
    method: 'GET',
    path: '/organizations/:org/devicesByName/:name/tags',
    access: 'devices:read',
    params: z.object({ org: z.string(), name: z.string() }),
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
  },
  tagsOfGroup: {
    method: 'GET',
    path: '/organizations/:org/deviceGroups/:group/tags',
    access: 'devices:read',
    params: z.object({ org: z.string(), group: rowIdText }),
    query: z.object({ modelPath: pathPattern.default('**'), ...tagQuestion }),
    result: z.array(PlatformTags),
  },
  /** For an explorer: every path of the device, and its newest value. */
  series: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/series',
    access: 'devices:read',
    params: ofDevice,
    result: z.array(
      z.object({
        modelPath: z.string(),
        type: z.string(),
        mode: z.enum(['R', 'RW']),
        /** Texts of the model for the path. */
        unit: z.string().optional(),
        label: z.string().optional(),
        description: z.string().optional(),
        /** The model's label of the part that the path is in. */
        group: z.string().optional(),
        /** The model's limits for writing. */
        min: z.number().optional(),
        max: z.number().optional(),
        last: z.object({ t: z.number(), v: z.unknown(), q: z.int() }).nullable(),
      }),
    ),
  },
} as const
