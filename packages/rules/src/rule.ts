import { z } from 'zod'
import { ruleLimits } from './limits.ts'

/** Languages of the texts of a rule. */
export const ruleLanguages = ['en', 'de', 'es', 'fr', 'it'] as const
export type RuleLanguage = (typeof ruleLanguages)[number]

const operators = [
  '>',
  '>=',
  '<',
  '<=',
  '==',
  '!=',
  'inside',
  'outside',
  'contains',
  'changed',
] as const
const delay = z.int().min(0).max(ruleLimits.delayMs)
const path = z.string().min(1).max(ruleLimits.path)
const name = z.string().min(1).max(ruleLimits.name)
const longText = z.string().max(ruleLimits.text)
const severity = z.int().min(0).max(6)
const finite = z.number()
const band = z.tuple([finite, finite])
const limit = z.union([finite, z.string().max(ruleLimits.path), z.boolean(), band])

/** Limit of a comparison: two numbers are the ends of a band. */
export type Limit = z.output<typeof limit>

/**
 * Comparison of a path or formula with a value or another path. `clear` is the limit at which it
 * ends again, beside `otherPath` the width of that dead-band. `forMs` is the time that it has to
 * hold; for `changed` the time for which a change counts.
 */
export const Leaf = z.strictObject({
  path: path.optional(),
  formula: z.string().min(1).max(10_000).optional(),
  op: z.enum(operators),
  value: limit.optional(),
  otherPath: path.optional(),
  clear: z.union([finite, band]).optional(),
  forMs: delay.optional(),
})
export type Leaf = z.output<typeof Leaf>

/** Condition: a comparison, or a group of conditions. */
export type Condition = Leaf | { all: Condition[] } | { any: Condition[] } | { not: Condition }
const parts = z
  .array(z.lazy(() => Condition))
  .min(1)
  .max(ruleLimits.parts)
export const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    Leaf,
    z.strictObject({ all: parts }),
    z.strictObject({ any: parts }),
    z.strictObject({ not: Condition }),
  ]),
)

/** Level of an alarm; without `value` it has the limit of the condition. */
export const Level = z.strictObject({
  severity,
  value: z.union([finite, z.string().max(ruleLimits.path), z.boolean(), band]).optional(),
  clear: z.union([finite, band]).optional(),
})
export type Level = z.output<typeof Level>

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const Window = z.strictObject({
  /** Days of the week on which the window begins; Sunday is 0. */
  days: z.array(z.int().min(0).max(6)).max(7),
  from: clockTime,
  /** End; not after `from` means the next day. */
  to: z.union([clockTime, z.literal('24:00')]),
})
/** Times at which a rule is judged; `zone` is an IANA name, or `device` for that of the device. */
export const Schedule = z.strictObject({
  zone: z.string().min(1).max(100),
  times: z.array(Window).max(ruleLimits.windows),
  /** Days on which no window begins: `2026-12-25`. */
  exceptDates: z.array(z.iso.date()).max(ruleLimits.exceptDates).default([]),
})
export type Schedule = z.output<typeof Schedule>

/** Condition, or another rule of the device, that suppresses the alarm while it holds. */
const Unless = z.strictObject({
  when: Condition.optional(),
  rule: z.string().min(1).max(ruleLimits.name).optional(),
  onDelayMs: delay.default(0),
  offDelayMs: delay.default(0),
})

const Step = z.strictObject({
  afterMs: delay,
  while: z.enum(['active', 'unacknowledged']),
  severity,
})
/** Model as `Oven:1`; `modelId` tells which one, where organizations have models of one name. */
const ModelScope = z.strictObject({
  model: z.string().min(1).max(ruleLimits.path),
  modelId: z.string().min(1).max(ruleLimits.name).optional(),
})
const Scope = z.union([
  ModelScope,
  z.strictObject({ deviceId: z.string().min(1).max(ruleLimits.name) }),
])
const Chatter = z.strictObject({
  /** Raises within `withinMs` above which returns are held for a minute; 0 is off. */
  max: z.int().min(0).max(20),
  withinMs: delay,
})
const Texts = z.strictObject({
  en: longText.optional(),
  de: longText.optional(),
  es: longText.optional(),
  fr: longText.optional(),
  it: longText.optional(),
})

const common = {
  name,
  scope: Scope,
  deviceGroups: z.array(z.string().min(1).max(ruleLimits.name)).max(100).default([]),
  enabled: z.boolean().default(true),
  levels: z.array(Level).min(1).max(ruleLimits.levels),
  onDelayMs: delay.default(0),
  offDelayMs: delay.default(0),
  unless: Unless.optional(),
  schedule: Schedule.optional(),
  ack: z.boolean().default(true),
  reset: z.boolean().default(false),
  ladder: z.array(Step).max(ruleLimits.parts).default([]),
  /** Name of the first-out group. */
  group: name.optional(),
  chatter: Chatter.default({ max: 5, withinMs: 600_000 }),
  /** Treatment of values of bad quality: they change nothing, or they raise. */
  quality: z.enum(['hold', 'alarm']).default('hold'),
  lateNotifyMs: delay.default(3_600_000),
  texts: Texts.default({}),
  cause: longText.default(''),
  consequence: longText.default(''),
  response: longText.default(''),
  respondWithinMs: delay.optional(),
  class: z.string().max(ruleLimits.name).default(''),
  link: z
    .string()
    .max(ruleLimits.text)
    .regex(/^(?:https?:\/\/|\/(?!\/)|$)/)
    .default(''),
}

/** Silence of a path, or of all paths of the device. */
const Silent = z.strictObject({
  path: path.optional(),
  forMs: z.int().min(1).max(ruleLimits.delayMs),
})
const Link = z.strictObject({
  source: z.enum(['IOT', 'VPN']).default('IOT'),
  status: z.enum(['ON', 'OFF']).default('OFF'),
})

/** Rule of kind `condition`, `silence` or `connection`, as it is stored and sent. */
export const Rule = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('condition'), when: Condition }),
  z.strictObject({ ...common, kind: z.literal('silence'), when: Silent }),
  z.strictObject({ ...common, kind: z.literal('connection'), when: Link }),
])
export type Rule = z.output<typeof Rule>

/** True for a comparison, false for a group. */
export const isLeaf = (condition: Condition): condition is Leaf => 'op' in condition

/** Comparisons of a condition in order, each with its place in the rule. */
export function leavesOf(condition: Condition, place: string): { leaf: Leaf; place: string }[] {
  if (isLeaf(condition)) return [{ leaf: condition, place }]
  if ('not' in condition) return leavesOf(condition.not, `${place}.not`)
  const [key, list] = 'all' in condition ? ['all', condition.all] : ['any', condition.any]
  return list.flatMap((part, index) => leavesOf(part, `${place}.${key}.${index}`))
}
