import type { AnyAction } from '../saving/action-contract.ts'
import { addressesOf, attributeOf } from '../saving/action-rules.ts'

type Scalar = number | string | boolean | null

/** Request of an action in one line, without secrets. */
export function requestText(action: AnyAction, fired: Scalar): string {
  switch (action.type) {
    case 'EMAIL_ACTION':
      return `mail to ${addressesOf(action.emailConfig.emailTo).join(', ')}`
    case 'WEBHOOK_ACTION':
      return `${action.webhookConfig.method} ${hostOf(action.webhookConfig.url)}`
    case 'TELEGRAM_ACTION':
      return `message to chat ${action.telegramConfig.chatId}`
    case 'TEAMS_ACTION':
      return 'message to Teams'
    case 'ATTRIBUTE_ACTION': {
      const { name, value = fired } = attributeOf(action.attribute)
      return `attribute ${name} = ${String(value)}`
    }
    case 'WRITE':
      return `${action.path} = ${String(action.value ?? fired)}`
    case 'ALARM':
      return `alarm ${action.name}, severity ${action.severity}`
    case 'SHARE_DASHBOARD':
      return `dashboard ${action.dashboardId}`
  }
}

/** Origin and path of an address; its query may be secret. */
function hostOf(url: string) {
  try {
    const { origin, pathname } = new URL(url)
    return `${origin}${pathname}`
  } catch {
    return '' // saving refuses such an address
  }
}
