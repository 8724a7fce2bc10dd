import {
  IconBell,
  IconBrandTeams,
  IconBrandTelegram,
  IconMail,
  IconPencil,
  IconTag,
  IconWebhook,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DraftActionType } from './editor/trigger-draft.ts'

const look = { size: 18, stroke: 1.7 }

/** Icon of each type of action, in the order in which they are offered. */
export const actionIcons: Record<DraftActionType, ReactNode> = {
  EMAIL_ACTION: <IconMail {...look} />,
  WEBHOOK_ACTION: <IconWebhook {...look} />,
  TELEGRAM_ACTION: <IconBrandTelegram {...look} />,
  TEAMS_ACTION: <IconBrandTeams {...look} />,
  ALARM: <IconBell {...look} />,
  WRITE: <IconPencil {...look} />,
  ATTRIBUTE_ACTION: <IconTag {...look} />,
}
