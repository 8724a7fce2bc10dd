import { starsOf } from './stars.ts'
import { type Condition, isLeaf, type Leaf, type Level, type Limit, type Rule } from './rule.ts'

/** Identifiers of the parts of a sentence; the portal has words for each in five languages. */
export const sentenceIds = [
  'condition',
  'silence',
  'silenceOfDevice',
  'connected',
  'disconnected',
  'all',
  'any',
  'not',
  'above',
  'atLeast',
  'below',
  'atMost',
  'equals',
  'differs',
  'inside',
  'outside',
  'contains',
  'changed',
  'changedWithin',
  'onDelay',
  'offDelay',
  'unless',
  'unlessRule',
  'schedule',
  'window',
  'raise',
  'badQuality',
] as const
type SentenceId = (typeof sentenceIds)[number]

/**
 * Part of the sentence of a rule: the id of its words, the parameters in them, the field of the rule
 * that it stands for, and the parts within it. Durations are ms; `each` is a path with items.
 */
export type SentencePart = {
  id: SentenceId
  place: string
  params: Readonly<Record<string, string | number | boolean>>
  parts: readonly SentencePart[]
}

type Params = SentencePart['params']
const partOf = (
  id: SentenceId,
  place: string,
  params: Params = {},
  parts: readonly SentencePart[] = [],
): SentencePart => ({ id, place, params, parts })

/** Sentence of a rule: what it waits for, its delays, its exceptions, and what it raises. */
export function sentenceOf(rule: Rule): SentencePart[] {
  const { onDelayMs, offDelayMs, schedule, quality, levels } = rule
  return [
    whenPart(rule),
    ...(quality === 'alarm' ? [partOf('badQuality', 'quality')] : []),
    ...(onDelayMs > 0 ? [partOf('onDelay', 'onDelayMs', { ms: onDelayMs })] : []),
    ...(schedule ? [schedulePart(schedule)] : []),
    ...(rule.unless ? unlessParts(rule.unless) : []),
    ...levels.map(raisePart),
    ...(offDelayMs > 0 ? [partOf('offDelay', 'offDelayMs', { ms: offDelayMs })] : []),
  ]
}

function whenPart(rule: Rule): SentencePart {
  switch (rule.kind) {
    case 'condition':
      return partOf('condition', 'when', {}, [conditionPart(rule.when, 'when')])
    case 'silence': {
      const { path, forMs } = rule.when
      if (path === undefined) return partOf('silenceOfDevice', 'when', { forMs })
      return partOf('silence', 'when', { path, forMs, each: starsOf(path) > 0 })
    }
    case 'connection': {
      const { source, status } = rule.when
      return partOf(status === 'ON' ? 'connected' : 'disconnected', 'when', { source })
    }
  }
}

function conditionPart(condition: Condition, place: string): SentencePart {
  if (isLeaf(condition)) return leafPart(condition, place)
  if ('not' in condition) {
    return partOf('not', `${place}.not`, {}, [conditionPart(condition.not, `${place}.not`)])
  }
  const [key, list] =
    'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  const at = `${place}.${key}`
  return partOf(
    key,
    at,
    {},
    list.map((part, index) => conditionPart(part, `${at}.${index}`)),
  )
}

const wordsOfOperators: Readonly<Record<Leaf['op'], SentenceId>> = {
  '>': 'above',
  '>=': 'atLeast',
  '<': 'below',
  '<=': 'atMost',
  '==': 'equals',
  '!=': 'differs',
  inside: 'inside',
  outside: 'outside',
  contains: 'contains',
  changed: 'changed',
}

function leafPart(leaf: Leaf, place: string): SentencePart {
  const { path, formula, otherPath, value, clear, forMs = 0 } = leaf
  const id = leaf.op === 'changed' && forMs > 0 ? 'changedWithin' : wordsOfOperators[leaf.op]
  return partOf(id, place, {
    ...(path === undefined ? { formula: formula ?? '' } : { path, each: starsOf(path) > 0 }),
    ...(otherPath !== undefined && { otherPath }),
    ...limitParams('limit', value),
    ...limitParams('clear', clear),
    ...(forMs > 0 && { forMs }),
  })
}

/** Parameters of a limit; a band has two. */
function limitParams(name: 'limit' | 'clear', value: Limit | undefined): Params {
  if (value === undefined) return {}
  return Array.isArray(value)
    ? { [`${name}Low`]: value[0], [`${name}High`]: value[1] }
    : { [name]: value }
}

const raisePart = ({ severity, value, clear }: Level, index: number) =>
  partOf('raise', `levels.${index}`, {
    severity,
    ...limitParams('limit', value),
    ...limitParams('clear', clear),
  })

function unlessParts({ when, rule, onDelayMs, offDelayMs }: NonNullable<Rule['unless']>) {
  const delays = {
    ...(onDelayMs > 0 && { onDelayMs }),
    ...(offDelayMs > 0 && { offDelayMs }),
  }
  if (when) return [partOf('unless', 'unless', delays, [conditionPart(when, 'unless.when')])]
  return [partOf('unlessRule', 'unless', { ...delays, rule: rule ?? '' })]
}

const schedulePart = ({ zone, times, exceptDates }: NonNullable<Rule['schedule']>) =>
  partOf(
    'schedule',
    'schedule',
    { zone, exceptions: exceptDates.length },
    times.map(({ days, from, to }, index) =>
      partOf('window', `schedule.times.${index}`, { days: days.join(','), from, to }),
    ),
  )
