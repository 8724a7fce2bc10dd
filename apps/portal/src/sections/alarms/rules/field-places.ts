import { type Condition, isLeaf, type Rule } from '@longreach/rules/rule'

/** Places that have a field in the form; faults at others are listed. */
export function fieldPlaces(rule: Rule): ReadonlySet<string> {
  const places = new Set([
    'name',
    'scope',
    'scope.model',
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
    'unless',
    'unless.rule',
    'when',
    'when.path',
    'when.forMs',
    'texts',
    ...['en', 'de', 'es', 'fr', 'it'].map((language) => `texts.${language}`),
  ])
  const add = (above: string, names: readonly string[]) => {
    places.add(above)
    for (const name of names) places.add(`${above}.${name}`)
  }
  const walk = (condition: Condition, place: string) => {
    if (isLeaf(condition)) {
      add(place, ['path', 'formula', 'op', 'value', 'otherPath', 'clear', 'forMs'])
    } else if ('not' in condition) walk(condition.not, `${place}.not`)
    else {
      const [kind, parts] = 'all' in condition ? ['all', condition.all] : ['any', condition.any]
      for (const [index, part] of parts.entries()) walk(part, `${place}.${kind}.${index}`)
    }
  }
  if (rule.kind === 'condition') walk(rule.when, 'when')
  if (rule.unless?.when) walk(rule.unless.when, 'unless.when')
  for (const index of rule.deviceGroups.keys()) places.add(`deviceGroups.${index}`)
  for (const index of rule.levels.keys()) add(`levels.${index}`, ['severity', 'value', 'clear'])
  for (const index of rule.ladder.keys()) add(`ladder.${index}`, ['afterMs', 'while', 'severity'])
  for (const index of rule.schedule?.times.keys() ?? []) {
    add(`schedule.times.${index}`, ['days', 'from', 'to'])
  }
  return places
}
