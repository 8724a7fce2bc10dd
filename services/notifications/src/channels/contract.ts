import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, languages, ms } from '../asked-contract.ts'

const channelTypes = ['webhook', 'telegram', 'teams', 'slack', 'ntfy'] as const
export type ChannelType = (typeof channelTypes)[number]

const url = z.string().min(1).max(2_000)
const secret = z.string().min(1).max(500)
const template = z.string().max(20_000).optional()

/** Configuration of a channel as it is posted; a secret that is left out keeps the one of before. */
export const PostedChannel = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('webhook'),
    config: z.object({
      url,
      headers: z.record(z.string().min(1).max(100), z.string().max(4_000)).default({}),
      template,
      /** Standard Webhooks secret, `whsec_…`; without it one is made and answered once. */
      secret: secret.optional(),
    }),
  }),
  z.object({
    type: z.literal('telegram'),
    config: z.object({
      /** Server of the Bot API, for installations that run their own. */
      server: url.default('https://api.telegram.org'),
      token: secret.optional(),
      chatId: z.string().min(1).max(100),
      template,
    }),
  }),
  z.object({ type: z.literal('teams'), config: z.object({ url: url.optional(), template }) }),
  z.object({ type: z.literal('slack'), config: z.object({ url: url.optional(), template }) }),
  z.object({
    type: z.literal('ntfy'),
    config: z.object({
      server: url.default('https://ntfy.sh'),
      topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be letters, digits, - and _'),
      token: secret.optional(),
      template,
    }),
  }),
])
export type PostedChannel = z.output<typeof PostedChannel>

/** Configuration without secrets. */
export type ChannelConfig = {
  url?: string
  /** Names of the headers of a webhook; their values are secret. */
  headerNames?: string[]
  chatId?: string
  server?: string
  topic?: string
  template?: string
}

/** Secrets of a channel: never answered. */
export type ChannelSecrets = {
  secret?: string
  headers?: Record<string, string>
  token?: string
  url?: string
}

/** Channel of an organization; secrets are only said to be there. */
const Channel = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(channelTypes),
  enabled: z.boolean(),
  language: z.enum(languages),
  orgResourceId: z.string(),
  config: z.object({
    url: z.string().optional(),
    headerNames: z.array(z.string()).optional(),
    chatId: z.string().optional(),
    server: z.string().optional(),
    topic: z.string().optional(),
    template: z.string().optional(),
  }),
  /** Names of the secrets that are kept. */
  secrets: z.array(z.string()),
  /** The address leads to connectors of Teams that Microsoft retires. */
  isRetiring: z.boolean(),
  updatedAt: ms,
  updatedBy: z.string(),
})

const Named = z.object({
  name: z.string().trim().min(1).max(200),
  enabled: z.boolean().default(true),
  /** Language of its messages. */
  language: z.enum(languages).default('en'),
})
const NewChannel = z.intersection(Named, PostedChannel)

const read = { access: 'notifications:read', query: inOrganization } as const
const change = { access: 'notifications:update', query: inOrganization } as const

export const channelsContract = definePartContract({
  errors: {
    /** The address, or a header, may not be called. */
    address_refused: 422,
    template_invalid: 422,
    channel_exists: 409,
    in_use: 409,
    too_many: 422,
    test_limit: 429,
    secret_missing: 422,
  },
  endpoints: {
    channels: {
      method: 'GET',
      path: '/channels',
      ...read,
      result: z.object({ data: z.array(Channel) }),
    },
    channel: { method: 'GET', path: '/channels/:id', ...read, params: byId, result: Channel },
    createChannel: {
      method: 'POST',
      path: '/channels',
      ...change,
      body: NewChannel,
      /** `newSecret` is the secret of a webhook that was made for it; it is not answered again. */
      result: Channel.extend({ newSecret: z.string().optional() }),
      status: 201,
    },
    replaceChannel: {
      method: 'PUT',
      path: '/channels/:id',
      ...change,
      params: byId,
      body: NewChannel,
      ignored: ['id', 'orgResourceId', 'updatedAt', 'updatedBy', 'secrets', 'isRetiring'],
      result: Channel,
    },
    deleteChannel: {
      method: 'DELETE',
      path: '/channels/:id',
      ...change,
      params: byId,
      result: z.undefined(),
    },
    /** Send a test message; the answer is that of the server. */
    testChannel: {
      method: 'POST',
      path: '/channels/:id/test',
      ...change,
      params: byId,
      body: z.object({}).default({}),
      result: z.object({ ok: z.boolean(), answer: z.string(), ms: z.int() }),
    },
  },
})
