import type { Blocked } from '../trigger-calls.ts'

/** Kinds of actions that can be switched off, with the type of action of each. */
export const typeOfKind = {
  emailAction: 'EMAIL_ACTION',
  webhookAction: 'WEBHOOK_ACTION',
  telegramAction: 'TELEGRAM_ACTION',
  teamsAction: 'TEAMS_ACTION',
  attributeAction: 'ATTRIBUTE_ACTION',
} as const
export type Kind = keyof typeof typeOfKind
export const kindNames = Object.keys(typeOfKind) as Kind[] // its keys are these

/** Kind of a type of action; undefined for one that is always allowed. */
export const blockableKindOf = (type: string) => kindNames.find((kind) => typeOfKind[kind] === type)

type Acting = { type: string; disabled?: unknown }

/** Kinds of some actions that do not run; one that is switched off in its trigger is none. */
export function blockedAmong(actions: readonly Acting[], blocked: Blocked | undefined): Kind[] {
  const used = actions.flatMap((action) => (action.disabled === true ? [] : [action.type]))
  return kindNames.filter((kind) => blocked?.[kind] && used.includes(typeOfKind[kind]))
}
