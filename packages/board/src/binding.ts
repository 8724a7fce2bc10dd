import { z } from 'zod'
import { Id, Key, PropKey } from './id.ts'
import { boardLimits } from './limits.ts'
import { openObject } from './open-object.ts'

const path = z.string().min(1).max(boardLimits.path)

/** Figures of a value over a time. */
const boardFigures = [
  'average',
  'minimum',
  'maximum',
  'sum',
  'count',
  'first',
  'last',
  'delta',
  'time_weighted',
] as const

/** Time over which a figure is made: a duration, the day or shift so far, or the range of the page. */
const over = z.string().regex(/^(?:\d{1,6}(?:s|m|h|d)|today|yesterday|week|month|shift|range)$/)
const ago = z.string().regex(/^\d{1,6}(?:s|m|h|d)$/)

/**
 * Value of a device: its path below the model. `figure` with `over` is a figure of its history, `ago` the
 * same so much earlier; `feedback` is the path that says whether a written value has arrived.
 */
export const TagBinding = openObject({
  tag: openObject({
    slot: Key,
    path,
    mode: z.enum(['r', 'w', 'rw']).optional(),
    figure: z.enum(boardFigures).optional(),
    over: over.optional(),
    ago: ago.optional(),
    feedback: path.optional(),
  }),
}).meta({ id: 'TagBinding' })
export type TagBinding = z.output<typeof TagBinding>

/** Fields of a device that can be bound, beside `attribute:<name>`. */
const deviceFields = [
  'label',
  'connected',
  'lastSeen',
  'serial',
  'model',
  'position',
  'alarms',
] as const
const systemFields = [
  'now',
  'user',
  'organization',
  'language',
  'online',
  'page',
  'from',
  'to',
] as const

const simple = [
  TagBinding,
  openObject({
    device: openObject({
      slot: Key,
      field: z.union([z.enum(deviceFields), z.string().regex(/^attribute:.{1,200}$/)]),
    }),
  }),
  openObject({ node: openObject({ node: Id, prop: PropKey }) }),
  openObject({ var: openObject({ name: Key }) }),
  openObject({ system: openObject({ field: z.enum(systemFields) }) }),
] as const

const SimpleBinding = z.union(simple).meta({ id: 'SimpleBinding' })
export type SimpleBinding = z.output<typeof SimpleBinding>

/** Source of a property's value: one of the kinds by its key, or a formula over several. */
export const Binding = z
  .union([
    ...simple,
    openObject({
      formula: openObject({
        text: z.string().min(1).max(boardLimits.formula),
        in: z
          .record(Key, SimpleBinding)
          .refine((inputs) => Object.keys(inputs).length <= boardLimits.inputs, 'too_many'),
      }),
    }),
  ])
  .meta({ id: 'Binding' })
export type Binding = z.output<typeof Binding>

/** Bindings of which a binding is made: itself, or the inputs of its formula. */
export const partsOfBinding = (binding: Binding): SimpleBinding[] =>
  'formula' in binding ? Object.values(binding.formula.in) : [binding]
