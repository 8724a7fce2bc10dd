import type { Input } from '@longreach/kit/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import type { Channel } from '../../parts/notifications/notification-calls.ts'

type Endpoints = (typeof notificationsContract)['endpoints']
type ChannelBody = Input<Endpoints['createChannel']>['body']

export const channelTypes = ['webhook', 'telegram', 'teams', 'slack', 'ntfy'] as const
type ChannelType = (typeof channelTypes)[number]

/** Fields of a channel as the form has them; which of them count follows from the type. */
export type ChannelDraft = {
  name: string
  type: ChannelType
  enabled: boolean
  url: string
  secret: string
  chatId: string
  topic: string
  server: string
  template: string
}

/** Draft of a new channel. */
export const newChannelDraft: ChannelDraft = {
  name: '',
  type: 'webhook',
  enabled: true,
  url: '',
  secret: '',
  chatId: '',
  topic: '',
  server: '',
  template: '',
}

/** Draft of a channel that is there; secrets are never answered, and stay if they are left empty. */
export const toChannelDraft = ({ name, type, enabled, config }: Channel): ChannelDraft => {
  const { url, chatId, topic, server, template } = config
  const known = Object.entries({ url, chatId, topic, server, template }).filter(
    ([, value]) => value !== undefined,
  )
  return { ...newChannelDraft, name, type, enabled, ...Object.fromEntries(known) }
}

/** Body of a draft. */
export function toChannelBody(draft: ChannelDraft, language: Channel['language']): ChannelBody {
  const { name, enabled, url, secret, chatId, topic, server, type } = draft
  const common = { name: name.trim(), enabled, language }
  const template = draft.template.trim() === '' ? {} : { template: draft.template }
  const own = server.trim() === '' ? {} : { server: server.trim() }
  const token = secret === '' ? {} : { token: secret }
  switch (type) {
    case 'webhook':
      return {
        ...common,
        type,
        config: { url, ...template, ...(secret !== '' && { secret }) },
      }
    case 'telegram':
      return { ...common, type, config: { chatId, ...own, ...token, ...template } }
    case 'ntfy':
      return { ...common, type, config: { topic, ...own, ...token, ...template } }
    default:
      return { ...common, type, config: { ...(url !== '' && { url }), ...template } }
  }
}
