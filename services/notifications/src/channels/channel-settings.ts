import { failure } from '@longreach/kit/errors'
import type { createOutsideCaller } from '@longreach/kit/outside-call'
import { isWebhookSecret, newWebhookSecret } from '@longreach/kit/webhook-signature'
import { notificationsContract } from '../contract.ts'
import type { ChannelConfig, ChannelSecrets, PostedChannel } from './contract.ts'
import { targetOf } from './payloads.ts'
import { templateFault } from './templates.ts'

type Caller = Pick<ReturnType<typeof createOutsideCaller>, 'refusalOf'>
type Split = { config: ChannelConfig; secrets: ChannelSecrets; newSecret?: string }

type PostedOf<T extends PostedChannel['type']> = Extract<PostedChannel, { type: T }>['config']
type Before = ChannelSecrets | undefined

/** Posted configuration in two parts, what is shown and what is sealed; `before` are the secrets kept so far. */
export function splitConfig(posted: PostedChannel, before: Before): Split {
  switch (posted.type) {
    case 'webhook':
      return splitWebhook(posted.config, before)
    case 'telegram': {
      const { server, chatId, template, token } = posted.config
      const config = { server, chatId, ...withTemplate(template) }
      return { config, secrets: { token: required('config.token', token ?? before?.token) } }
    }
    case 'ntfy': {
      const { server, topic, template, token = before?.token } = posted.config
      const config = { server, topic, ...withTemplate(template) }
      return { config, secrets: token === undefined ? {} : { token } }
    }
    default: {
      const { url, template } = posted.config
      const secrets = { url: required('config.url', url ?? before?.url) }
      return { config: withTemplate(template), secrets }
    }
  }
}

function splitWebhook(posted: PostedOf<'webhook'>, before: Before): Split {
  const { url, headers, template, secret } = posted
  const known = secret ?? before?.secret
  const made = known ?? newWebhookSecret()
  // Without headers, those that were given before stay.
  const kept = Object.keys(headers).length > 0 ? headers : (before?.headers ?? {})
  return {
    config: { url, headerNames: Object.keys(kept), ...withTemplate(template) },
    secrets: { secret: made, headers: kept },
    ...(known === undefined && { newSecret: made }),
  }
}

const withTemplate = (template: string | undefined) =>
  template === undefined || template.trim() === '' ? {} : { template }

function required(field: string, value: string | undefined) {
  if (value !== undefined) return value
  throw failure(notificationsContract, 'secret_missing', { field, message: `${field} is missing` })
}

/** Check that the channel may be called, its secret can sign, and its template can be written. */
export function checkChannel(
  caller: Caller,
  type: PostedChannel['type'],
  { config, secrets }: Split,
) {
  const url = config.url ?? secrets.url ?? config.server ?? ''
  const place = config.server === undefined ? 'config.url' : 'config.server'
  const refusal = caller.refusalOf({ url, headers: secrets.headers ?? {} })
  if (refusal) {
    const field = refusal.field === 'url' ? place : `config.${refusal.field}`
    const message = refusal.message.replace(/^(url|headers)/, (name) =>
      name === 'url' ? place : `config.${name}`,
    )
    throw failure(notificationsContract, 'address_refused', {
      field,
      reason: refusal.reason,
      message,
    })
  }
  if (secrets.secret !== undefined && !isWebhookSecret(secrets.secret)) {
    const message =
      'config.secret must be base64 of 24 to 64 bytes, with or without whsec_ before it'
    throw failure(notificationsContract, 'secret_missing', { field: 'config.secret', message })
  }
  const fault =
    config.template === undefined ? undefined : templateFault(config.template, targetOf[type])
  if (fault) {
    const message = `config.template, line ${fault.line}: ${fault.message}`
    throw failure(notificationsContract, 'template_invalid', {
      field: 'config.template',
      line: fault.line,
      message,
    })
  }
}

/** Addresses of Office connectors, which Microsoft retires. */
export const isRetiringAddress = (url: string | undefined) =>
  url !== undefined && /^https:\/\/[^/]*\.(webhook\.)?office\.com\//i.test(url)
