import { Condition, Trigger } from '@longreach/device-protocol/configuration'
import { datatypes } from '@longreach/device-protocol/value'
import { z } from 'zod'
import { FormulaWindows } from './formula-windows-contract.ts'

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
  /** Values that would have been sent: the last one of each of some hundred steps. */
  line: z.array(z.tuple([z.number(), z.number()])),
})
export type Rehearsed = z.output<typeof Rehearsed>
