import type { AnyAction } from './action-contract.ts'
import { actionsOf } from './action-rules.ts'
import type { TriggerData } from './contract.ts'

/** Secrets by the uuid of the action and their name: `token`, `endpoint`, `headers.<name>`. */
export type ActionSecrets = Record<string, Record<string, string>>

/** Trigger without its secrets, and these; an empty one keeps that of before. */
export function withoutSecrets(data: TriggerData, before: ActionSecrets) {
  const secrets: ActionSecrets = {}
  const strip = <A extends AnyAction>(action: A): A => {
    const { stripped, own } = split(action, before[action.uuid ?? ''] ?? {})
    if (Object.keys(own).length > 0) secrets[action.uuid ?? ''] = own
    return stripped as A
  }
  const kept: TriggerData = { ...data, actions: data.actions.map(strip) }
  return { data: kept, secrets }
}

type Own = Record<string, string>

function split(action: AnyAction, before: Own): { stripped: AnyAction; own: Own } {
  switch (action.type) {
    case 'TELEGRAM_ACTION': {
      const { token } = action.telegramConfig
      const own = chosen('token', token, before)
      return {
        stripped: { ...action, telegramConfig: { ...action.telegramConfig, token: '' } },
        own,
      }
    }
    case 'TEAMS_ACTION': {
      const own = chosen('endpoint', action.teamsConfig.endpoint, before)
      return { stripped: { ...action, teamsConfig: { ...action.teamsConfig, endpoint: '' } }, own }
    }
    case 'WEBHOOK_ACTION': {
      const names = Object.keys(action.webhookConfig.headers)
      const own = Object.assign(
        {},
        ...names.map((name) =>
          chosen(`headers.${name}`, action.webhookConfig.headers[name] ?? '', before),
        ),
      ) as Own
      const headers = Object.fromEntries(names.map((name) => [name, '']))
      return { stripped: { ...action, webhookConfig: { ...action.webhookConfig, headers } }, own }
    }
    default:
      return { stripped: action, own: {} }
  }
}

const chosen = (name: string, given: string, before: Own): Own => {
  const value = given === '' ? before[name] : given
  return value === undefined ? {} : { [name]: value }
}

/** Names of the secrets of a trigger. */
export const secretNames = (secrets: ActionSecrets) =>
  Object.entries(secrets).flatMap(([uuid, own]) =>
    Object.keys(own).map((name) => `${uuid}/${name}`),
  )

/** Actions that miss a secret without which they cannot run, as their place in all actions and the field. */
export function missingSecrets(data: TriggerData, secrets: ActionSecrets) {
  return actionsOf(data).flatMap((action, index) => {
    const own = secrets[action.uuid ?? ''] ?? {}
    if (action.type === 'TELEGRAM_ACTION' && own['token'] === undefined) {
      return [{ index, field: 'telegramConfig.token' }]
    }
    if (action.type === 'TEAMS_ACTION' && own['endpoint'] === undefined) {
      return [{ index, field: 'teamsConfig.endpoint' }]
    }
    return []
  })
}
