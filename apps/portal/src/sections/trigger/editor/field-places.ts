import { isPolicyGroup } from './policy-tree.ts'
import { actionsOf, daysPlaceOf, type DraftAction, type TriggerDraft } from './trigger-draft.ts'
import type { Policy } from '@longreach/rules/policy'

/** Places that have a field in the form; faults at others are listed above it. */
export function triggerPlaces(draft: TriggerDraft): ReadonlySet<string> {
  const places = new Set([
    'name',
    'disabled',
    'deviceGroups',
    'locale',
    'timezone',
    'longreach.below',
    'longreach.description',
  ])
  addPolicy(places, draft.policy, 'policy')
  for (const { action, place } of actionsOf(draft)) {
    for (const field of [
      '',
      'type',
      'throttlingIntervalInMSec',
      'disabled',
      ...actionFieldsOf(action),
    ]) {
      places.add(field === '' ? place : `${place}.${field}`)
    }
  }
  return places
}

function addPolicy(places: Set<string>, policy: Policy, place: string) {
  const add = (...names: string[]) => {
    for (const name of names) places.add(`${place}.${name}`)
  }
  if (isPolicyGroup(policy)) {
    places.add(place)
    add('type', 'innerPolicies')
    for (const [index, part] of policy.innerPolicies.entries()) {
      addPolicy(places, part, `${place}.innerPolicies.${index}`)
    }
    return
  }
  places.add(place)
  add('type')
  if (policy.type === 'CONNECTION') return add('source', 'status', 'time')
  add('modelPathMatcher')
  if (policy.type === 'ON_CHANGED') {
    add(
      'changeMask',
      'skipFirstNChanges',
      ...(policy.changeMask === 'VALUE_CHANGED' ? ['deadband'] : []),
    )
  }
  if (policy.type === 'ANALOG_BAND') add('min', 'max', 'time')
  if (policy.type === 'ON_LEVEL') {
    add('mode', 'skipFirstChanges', 'time')
    if (policy.min !== undefined || policy.max !== undefined) add('min', 'max')
    else if (policy.levelBool === undefined) add('level')
  }
}

const fields: Record<DraftAction['type'], readonly string[]> = {
  EMAIL_ACTION: ['emailTo', 'emailBcc', 'subject', 'template'].map((name) => `emailConfig.${name}`),
  WEBHOOK_ACTION: ['method', 'url', 'headers', 'template'].map((name) => `webhookConfig.${name}`),
  TELEGRAM_ACTION: ['token', 'chatId', 'template'].map((name) => `telegramConfig.${name}`),
  TEAMS_ACTION: ['endpoint', 'template'].map((name) => `teamsConfig.${name}`),
  ATTRIBUTE_ACTION: ['attribute', 'attribute.value'],
  WRITE: ['path', 'deviceId', 'value'],
  ALARM: ['name', 'severity', 'text'],
  SHARE_DASHBOARD: [],
}

const actionFieldsOf = (action: DraftAction) => {
  const days = daysPlaceOf(action)
  return days === undefined ? fields[action.type] : [...fields[action.type], days]
}
