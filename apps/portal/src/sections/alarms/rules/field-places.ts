import { type Condition, isLeaf, type Leaf, type Rule } from '@longreach/rules/rule'
import { groupOf, hasLevelLimits, mayClear, partPlace } from './rule-draft.ts'

/** Places that have a field in the form; faults at others are listed. */
export function fieldPlaces(rule: Rule): ReadonlySet<string> {
  const places = new Set<string>([
    'name',
    'scope',
    'scope.model',
    'scope.modelId',
    'scope.deviceId',
    'onDelayMs',
    'offDelayMs',
    'cause',
    'consequence',
    'response',
    'respondWithinMs',
    'class',
    'link',
    'group',
    'schedule.zone',
    'schedule.times',
    'chatter.max',
    'chatter.withinMs',
    'lateNotifyMs',
    ...(rule.unless && !rule.unless.when ? ['unless', 'unless.rule'] : []),
    'unless.onDelayMs',
    'unless.offDelayMs',
    'texts',
    ...['en', 'de', 'es', 'fr', 'it'].map((language) => `texts.${language}`),
  ])
  for (const place of [...conditionPlaces(rule), ...listPlaces(rule)]) places.add(place)
  return places
}

const fieldsAt = (place: string, names: readonly string[]) => [
  place,
  ...names.map((name) => `${place}.${name}`),
]

/** Places of the condition, and of that of the exception. */
function conditionPlaces(rule: Rule): string[] {
  const walk = (condition: Condition, place: string): string[] => {
    if (isLeaf(condition)) return fieldsAt(place, leafFields(condition, place, rule))
    const { kind, parts } = groupOf(condition) ?? { kind: 'all', parts: [] }
    return [place, ...parts.flatMap((part, index) => walk(part, partPlace(place, kind, index)))]
  }
  const own = rule.kind === 'condition' ? walk(rule.when, 'when') : silencePlaces(rule)
  return rule.unless?.when ? [...own, ...walk(rule.unless.when, 'unless.when')] : own
}

function silencePlaces(rule: Rule): string[] {
  if (rule.kind !== 'silence') return []
  return rule.when.path === undefined ? ['when.forMs'] : ['when.forMs', 'when.path']
}

/** Places of what a rule has several of: groups, levels, steps and windows. */
function listPlaces({ deviceGroups, levels, ladder, schedule }: Rule): string[] {
  const ofLevel = levels.length > 1 ? ['severity', 'value', 'clear'] : ['severity']
  return [
    ...deviceGroups.map((_, index) => `deviceGroups.${index}`),
    ...levels.flatMap((_, index) => fieldsAt(`levels.${index}`, ofLevel)),
    ...ladder.flatMap((_, index) =>
      ['afterMs', 'severity'].map((name) => `ladder.${index}.${name}`),
    ),
    ...(schedule?.times ?? []).flatMap((_, index) =>
      ['days', 'from', 'to'].map((name) => `schedule.times.${index}.${name}`),
    ),
  ]
}

/** Names of the fields that a comparison has in the form. */
function leafFields(leaf: Leaf, place: string, rule: Rule): string[] {
  const isWhole = place === 'when'
  const hasLimit = leaf.op !== 'changed' && !(isWhole && hasLevelLimits(rule))
  return [
    leaf.formula === undefined ? 'path' : 'formula',
    'op',
    ...(hasLimit ? [leaf.otherPath === undefined ? 'value' : 'otherPath'] : []),
    ...(hasLimit && mayClear(leaf) ? ['clear'] : []),
    ...(!isWhole || leaf.op === 'changed' ? ['forMs'] : []),
  ]
}
