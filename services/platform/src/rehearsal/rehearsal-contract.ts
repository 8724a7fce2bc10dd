import { Condition, Trigger } from '@longreach/device-protocol/configuration'
import { datatypes } from '@longreach/device-protocol/value'
import { z } from 'zod'
import { FormulaWindows } from '../formulas/formula-contract.ts'

const modelPath = z.string().max(2_000)
const Policy = z.object({
  triggers: z.array(Trigger).max(100).optional(),
  conditions: Condition.nullish(),
})

/** A value as a preset would have it: its type, what it is made from, and when it is sent. */
export const RehearsedLeaf = z.object({
  path: modelPath,
  type: z.enum([...datatypes, 'struct']),
  /** Of a struct: types of its fields. */
  fields: z.record(z.string(), z.enum(datatypes)).optional(),
  sendPolicy: Policy.optional(),
  /** The path under which the device's values of the same tag are stored now. */
  from: modelPath.optional(),
  /** Other tags that the send policy watches, and where their values are stored. */
  watched: z.record(z.string(), modelPath).optional(),
  /**
   * Computed: then there is no `from`. `texts` are the formulas that it needs, each behind those
   * that it needs, itself the last; `from` says where the values of tags are stored.
   */
  formula: z
    .object({
      texts: z
        .array(
          z.object({
            path: modelPath,
            text: z.string().max(10_000),
            windows: FormulaWindows.optional(),
          }),
        )
        .min(1)
        .max(100),
      from: z.record(z.string(), modelPath),
    })
    .optional(),
})
export type RehearsedLeaf = z.output<typeof RehearsedLeaf>

const Figures = z.object({
  count: z.int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  last: z.object({ t: z.number(), v: z.unknown() }).nullable(),
})
export type Figures = z.output<typeof Figures>

export const Rehearsed = z.object({
  path: modelPath,
  /** As stored now. */
  before: Figures,
  /** As the send policy, type and formula would have let them through. */
  after: Figures,
  /** Values that the type does not take, and why the first of them. */
  refused: z.int(),
  problem: z.string().nullable(),
  /** What would have been sent: the last value of each of some hundred steps. */
  line: z.array(z.tuple([z.number(), z.number()])),
})
export type Rehearsed = z.output<typeof Rehearsed>

/** Times in ms since 1970 with their values, oldest first. */
const Samples = z.array(z.tuple([z.number(), z.unknown()])).max(1_000)

/** For mappings: what stored values would have become under another preset. */
export const rehearsalEndpoints = {
  rehearse: {
    method: 'POST',
    path: '/internal/devices/:deviceId/rehearsal',
    access: 'service',
    reads: true,
    params: z.object({ deviceId: z.string().max(100) }),
    body: z.object({
      since: z.number(),
      to: z.number(),
      leaves: z.array(RehearsedLeaf).max(5_000),
      /** Values that are not stored, by a name that stands for a path. */
      given: z.record(z.string(), Samples).optional(),
    }),
    /** Not complete: there were too many values, and the leaves that are not named were left out. */
    result: z.object({ leaves: z.array(Rehearsed), complete: z.boolean() }),
  },
  /** For mappings: other configurations that the device had since then, the newest first. */
  earlierConfigurations: {
    method: 'GET',
    path: '/internal/devices/:deviceId/configurations',
    access: 'service',
    params: z.object({ deviceId: z.string().max(100) }),
    query: z.object({ since: z.coerce.number<number>() }),
    result: z.array(z.string()),
  },
} as const
