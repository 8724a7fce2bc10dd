import { reachOf } from '@longreach/authorization/reach'
import { createAttempts } from '@longreach/kit/attempts'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { ChannelRow, NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { contentOf } from '../texts/content.ts'
import { callChannel, channelCaller, openChannel, sealChannel } from './channel-call.ts'
import { checkChannel, isRetiringAddress, splitConfig } from './channel-settings.ts'
import {
  countChannels,
  deleteChannel,
  findChannel,
  listChannels,
  lockChannel,
  saveChannel,
} from './channel-store.ts'
import { usersOf } from '../users-of.ts'
import type { channelsContract, PostedChannel } from './contract.ts'

type Deps = NotificationsDeps & { state: { tests: ReturnType<typeof createAttempts> } }
type Body = PostedChannel & Pick<ChannelRow, 'name' | 'enabled' | 'language'>

const mostChannels = 200
/** Tests of a channel in a minute. */
const testLimit = { most: 5, windowMs: 60_000 }

export const createTestCounts = () => ({ tests: createAttempts(testLimit) })

export function channelHandlers(deps: Deps): Handlers<typeof channelsContract> {
  const { db, secrets } = deps
  return {
    channels: async (_, ctx) => ({
      data: (await listChannels(db, reachOf(ctx))).map((row) => toChannel(deps, row)),
    }),

    channel: async ({ params: { id } }, ctx) => {
      const row = await findChannel(db, reachOf(ctx), id)
      if (!row) throw noChannel(id)
      return toChannel(deps, row)
    },

    createChannel: async ({ body }, ctx) => {
      const split = splitConfig(body, undefined)
      checkChannel(channelCaller(deps), body.type, split)
      const id = randomUUID()
      const org = ctx.organization.resourceId
      const sealed = sealChannel(secrets, id, split.secrets)
      const row = toChannelRow(ctx, body, { id, org, config: split.config, secrets: sealed })
      await db.transaction().execute(async (tx) => {
        await holdChannelNames(tx, org)
        if ((await countChannels(tx, org)) >= mostChannels) throw tooManyChannels()
        await storeChannel(tx, ctx, 'create', row)
      })
      const { newSecret } = split
      return { ...toChannel(deps, row), ...(newSecret !== undefined && { newSecret }) }
    },

    replaceChannel: async ({ params: { id }, body }, ctx) =>
      db.transaction().execute(async (tx) => {
        const before = await lockChannel(tx, reachOf(ctx), id)
        if (!before) throw noChannel(id)
        await holdChannelNames(tx, before.org)
        const kept = before.type === body.type ? openChannel(secrets, before) : undefined
        const split = splitConfig(body, kept)
        checkChannel(channelCaller(deps), body.type, split)
        const sealed = sealChannel(secrets, id, split.secrets)
        const row = toChannelRow(ctx, body, { ...before, config: split.config, secrets: sealed })
        await storeChannel(tx, ctx, 'update', row)
        return toChannel(deps, row)
      }),

    deleteChannel: async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const row = await lockChannel(tx, reachOf(ctx), id)
        if (!row) throw noChannel(id)
        const users = await usersOf(tx, row.org, id)
        if (users.length > 0) {
          const message = `The channel is used by ${users.join(', ')}. Take it out there first.`
          throw failure(notificationsContract, 'in_use', { message, users })
        }
        await deleteChannel(tx, id)
        await recordChange(tx, ctx, channelChange('delete', row))
      })
    },

    testChannel: async ({ params: { id } }, ctx) => {
      const channel = await findChannel(db, reachOf(ctx), id)
      if (!channel) throw noChannel(id)
      const waitS = deps.state.tests.waitS(id, ctx.now)
      if (waitS > 0) {
        const message = `A channel is tested at most ${testLimit.most} times a minute. Try again in ${waitS} s.`
        throw failure(notificationsContract, 'test_limit', { message, retryAfterS: waitS })
      }
      deps.state.tests.failed(id, ctx.now)
      const content = testContent(deps, channel, ctx.now)
      const kept = openChannel(secrets, channel)
      const end = await callChannel(deps, { id: randomUUID(), channel, kept, content })
      return { ok: end.kind === 'sent', answer: end.answer, ms: end.ms }
    },
  }
}

const testContent = ({ site }: Deps, { language }: ChannelRow, now: Date) =>
  contentOf({
    kind: 'test',
    facts: {},
    severity: 0,
    alarms: [],
    total: 0,
    language,
    repeated: false,
    origin: site.origin,
    now: now.getTime(),
    isHidden: () => true,
  })

async function storeChannel(
  tx: Kysely<NotificationsDb>,
  ctx: OrgCtx,
  action: string,
  row: ChannelRow,
) {
  if (!(await saveChannel(tx, row))) {
    const message = `name: there is a channel called ${row.name}. Take another name.`
    throw failure(notificationsContract, 'channel_exists', { field: 'name', message })
  }
  await recordChange(tx, ctx, channelChange(action, row))
}

const channelChange = (action: string, { id, name, org, type, enabled, config }: ChannelRow) => ({
  resource: 'notifications',
  action,
  id,
  label: name,
  organization: org,
  after: { channel: name, type, enabled, config },
})

type Kept = Pick<ChannelRow, 'id' | 'org' | 'config' | 'secrets'> & { created_at?: Date }

const toChannelRow = (
  ctx: OrgCtx,
  { name, type, enabled, language }: Body,
  kept: Kept,
): ChannelRow => ({
  id: kept.id,
  org: kept.org,
  config: kept.config,
  secrets: kept.secrets,
  name,
  type,
  enabled,
  language,
  created_at: kept.created_at ?? ctx.now,
  updated_at: ctx.now,
  updated_by: ctx.caller.username,
})

function toChannel({ secrets }: Deps, row: ChannelRow) {
  const kept = openChannel(secrets, row)
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    enabled: row.enabled,
    language: row.language,
    orgResourceId: row.org,
    config: row.config,
    secrets: Object.keys(kept),
    isRetiring: row.type === 'teams' && isRetiringAddress(kept.url),
    updatedAt: row.updated_at.getTime(),
    updatedBy: row.updated_by,
  }
}

const noChannel = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `There is no channel ${id} here` })

const tooManyChannels = () =>
  failure(notificationsContract, 'too_many', {
    message: `An organization has at most ${mostChannels} channels. Delete some that nobody needs.`,
  })

/** Holds the lock under which the channels of an organization are counted and named, until the transaction ends. */
const holdChannelNames = (tx: Parameters<typeof holdLock>[0], org: string) =>
  holdLock(tx, 'notifications.channels', org)
