import { createOutsideCaller } from '@longreach/kit/outside-call'
import type { Secrets } from '@longreach/kit/secrets'
import { signWebhook } from '@longreach/kit/webhook-signature'
import type { ChannelRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { Content } from '../texts/content.ts'
import type { ChannelConfig, ChannelSecrets, ChannelType } from './contract.ts'
import { ntfyBody, slackBody, teamsBody, telegramBody, webhookBody } from './payloads.ts'
import { type CallEnd, endOfCall, reasonIn } from './call-rules.ts'

type Caller = ReturnType<typeof createOutsideCaller>
type Deps = Pick<NotificationsDeps, 'site' | 'now'>

/** Caller of channels. The settings of the installation are read at each call. */
export const channelCaller = ({ site }: Pick<Deps, 'site'>): Caller =>
  createOutsideCaller(site.outside)

const labelOf = (id: string) => `notifications.channel:${id}`

export const sealChannel = (secrets: Secrets, id: string, plain: ChannelSecrets) =>
  secrets.seal(labelOf(id), JSON.stringify(plain))

export const openChannel = (
  secrets: Secrets,
  { id, secrets: sealed }: Pick<ChannelRow, 'id' | 'secrets'>,
) => JSON.parse(secrets.open(labelOf(id), sealed).toString()) as ChannelSecrets // as `sealChannel` wrote it

type Request = { url: string; body: string; headers: Record<string, string> }

type Written = {
  id: string
  content: Content
  config: ChannelConfig
  kept: ChannelSecrets
  at: Date
}

/** Request of a message for each type of channel. */
const requests: Record<ChannelType, (written: Written) => Request> = {
  webhook(written) {
    const body = webhookBody(written)
    const { id, at, kept, config } = written
    const signed = signWebhook({ id, at, body }, kept.secret === undefined ? [] : [kept.secret])
    return { url: config.url ?? '', body, headers: { ...kept.headers, ...signed } }
  },
  telegram: (written) => ({
    url: `${withoutSlash(written.config.server)}/bot${encodeURIComponent(written.kept.token ?? '').replaceAll('%3A', ':')}/sendMessage`,
    body: telegramBody(written),
    headers: {},
  }),
  teams: (written) => ({ url: written.kept.url ?? '', body: teamsBody(written), headers: {} }),
  slack: (written) => ({ url: written.kept.url ?? '', body: slackBody(written), headers: {} }),
  ntfy: (written) => ({
    url: `${withoutSlash(written.config.server)}/`,
    body: ntfyBody(written),
    headers:
      written.kept.token === undefined ? {} : { Authorization: `Bearer ${written.kept.token}` },
  }),
}

const withoutSlash = (url = '') => url.replace(/\/+$/, '')

type Sending = { id: string; channel: ChannelRow; kept: ChannelSecrets; content: Content }

/** One attempt to send a message over a channel of an organization. */
export async function callChannel(
  deps: Deps,
  { id, channel, kept, content }: Sending,
): Promise<CallEnd & { ms: number }> {
  const at = deps.now()
  const { url, body, headers } = requests[channel.type]({
    id,
    content,
    config: channel.config,
    kept,
    at,
  })
  const result = await channelCaller(deps).call({
    url,
    body,
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  })
  // A webhook's answer is for who wrote its program.
  const readable = channel.type === 'webhook' ? undefined : reasonIn
  return { ...endOfCall(result, at, readable), ms: result.ms }
}
