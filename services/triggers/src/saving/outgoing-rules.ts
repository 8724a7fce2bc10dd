import type { notificationsContract } from '@longreach/notifications/contract'
import type { z } from 'zod'
import type { AnyAction } from './action-contract.ts'
import { addressesOf } from './action-rules.ts'

type SendBody = z.output<typeof notificationsContract.endpoints.sendOutgoing.body>
type Outgoing = SendBody['outgoing']
/** Message of an action as notifications takes it; undefined for an action that sends none. */
export function outgoingOf(
  action: AnyAction,
  secrets: Readonly<Record<string, string>>,
): Outgoing | undefined {
  switch (action.type) {
    case 'EMAIL_ACTION': {
      const { emailTo, emailBcc, subject, template } = action.emailConfig
      const to = [...new Set([...addressesOf(emailTo), ...addressesOf(emailBcc)])]
      return { kind: 'mail', to, subject, template }
    }
    case 'WEBHOOK_ACTION': {
      const { method, url, headers, template } = action.webhookConfig
      const own = Object.keys(headers).map((name) => [name, secrets[`headers.${name}`] ?? ''])
      return { kind: 'webhook', method, url, headers: Object.fromEntries(own), template }
    }
    case 'TELEGRAM_ACTION': {
      const { chatId, template } = action.telegramConfig
      return { kind: 'telegram', token: secrets['token'] ?? '', chatId: String(chatId), template }
    }
    case 'TEAMS_ACTION': {
      const { template } = action.teamsConfig
      return { kind: 'teams', endpoint: secrets['endpoint'] ?? '', template }
    }
    default:
      return undefined
  }
}

/** Field of an action that a field of its message stands for. */
export const fieldOf = (action: AnyAction, field: string) => {
  const configs: Partial<Record<AnyAction['type'], string>> = {
    EMAIL_ACTION: 'emailConfig',
    WEBHOOK_ACTION: 'webhookConfig',
    TELEGRAM_ACTION: 'telegramConfig',
    TEAMS_ACTION: 'teamsConfig',
  }
  const name = action.type === 'EMAIL_ACTION' && field === 'to' ? 'emailTo' : field
  return `${configs[action.type] ?? ''}.${name}`
}
