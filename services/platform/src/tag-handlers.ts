import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { TelemetryError } from '@longreach/telemetry/store'
import { platformContract, type TagQuestion } from './contract.ts'
import { isInside, deviceFor, may } from './device-access.ts'
import { createConsole } from './device-console.ts'
import { devicesOfGroup, devicesOfLabel } from './device-listing.ts'
import type { PlatformDeps, Runtime } from './runtime.ts'
import { insertBulk } from './tag-bulk.ts'
import { isTimezone, replyWithTags } from './tag-formats.ts'
import { planOf } from './tag-question.ts'
import { answersOf, type Source } from './tag-reading.ts'
import { writeTags } from './tag-writing.ts'
import { lastValues } from './value-feed.ts'

type TagHandlers = Pick<
  Handlers<typeof platformContract>,
  | 'tags'
  | 'writeTags'
  | 'queryTags'
  | 'tagsByName'
  | 'tagsOfGroup'
  | 'bulkInsertTags'
  | 'series'
  | 'console'
>

/** Values: read, written, brought in. */
export function tagHandlers(runtime: Runtime, deps: PlatformDeps): TagHandlers {
  const { directory, telemetry, ingest } = runtime

  const answer = async (ctx: OrgCtx, sources: Source[], question: TagQuestion) => {
    const { timezone } = question
    if (timezone !== undefined && !isTimezone(timezone)) {
      throw badQuery('timezone', `${timezone} is no time zone; Europe/Rome is one`)
    }
    const planned = planOf(question, ctx.now.getTime())
    if (!planned.ok) throw badQuery(planned.field, planned.message)
    const timeout = AbortSignal.timeout(question.queryTimeout)
    const signal = AbortSignal.any([ctx.signal, timeout])
    const answers = await stored(async () =>
      answersOf(await telemetry(), sources, planned.plan, signal),
    )
    return replyWithTags(answers, question, signal)
  }

  return {
    tags: async ({ params: { deviceId }, query }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      return answer(ctx, [{ device, modelPath: query.modelPath }], query)
    },

    queryTags: async ({ body }, ctx) => {
      const sources: Source[] = []
      for (const { deviceId, modelPath } of body.sources) {
        sources.push({ device: await deviceFor(directory, ctx, deviceId), modelPath })
      }
      return answer(ctx, sources, body)
    },

    tagsByName: async ({ params: { name }, query }, ctx) => {
      const ids = await devicesOfLabel(deps.db, ctx.organization.resourceId, name)
      const sources = await visible(ids, ctx, query.modelPath)
      if (sources.length === 0) {
        throw failure(platformContract, 'not_found', {
          message: `no device is called ${name} here`,
        })
      }
      return answer(ctx, sources, query)
    },

    tagsOfGroup: async ({ params: { group }, query }, ctx) => {
      const ids = await devicesOfGroup(deps.db, ctx.organization.resourceId, group)
      return answer(ctx, await visible(ids, ctx, query.modelPath), query)
    },

    writeTags: async ({ params: { deviceId }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const { timeoutMs } = body
      const options = { timeoutMs, now: deps.now, signal: ctx.signal }
      const data = await writeTags(runtime, device, body.data, options)
      const paths = body.data.map(({ modelPath }) => modelPath)
      deps.log.info({ by: ctx.caller.sub, device: device.id, paths }, 'values were written')
      return { data }
    },

    bulkInsertTags: async ({ query: { ifNotExists }, body }, ctx) => {
      const sum = { inserted: 0, skipped: 0 }
      for (const { deviceId, modelPath, data } of body) {
        const device = await deviceFor(directory, ctx, deviceId, 'update')
        const { inserted, skipped } = await stored(async () =>
          insertBulk(ingest, await telemetry(), { device, modelPath, data }, ifNotExists),
        )
        sum.inserted += inserted
        sum.skipped += skipped
      }
      return sum
    },

    series: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const targets = [...device.byPath.values()]
      const last = await stored(async () => lastValues(await telemetry(), device, targets))
      return targets.map((target) => ({
        modelPath: target.leaf.path,
        type: target.leaf.type,
        mode: target.leaf.mode,
        last: last.get(target) ?? null,
      }))
    },

    console: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const now = deps.now().getTime()
      device.console ??= createConsole(now)
      device.console.until = createConsole(now).until
      return device.console.frames
    },
  }

  async function visible(ids: readonly string[], ctx: OrgCtx, modelPath: string) {
    const sources: Source[] = []
    for (const id of ids) {
      const device = await directory.get(id)
      if (device && isInside(ctx, device.org) && may(ctx, 'read', device)) {
        sources.push({ device, modelPath })
      }
    }
    return sources
  }
}

const badQuery = (field: string, message: string) =>
  failure(platformContract, 'bad_query', { message, field })

/** What the store says when it cannot, in the words of the contract. */
async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof TelemetryError) {
      throw failure(platformContract, 'storage_unavailable', { message: error.message })
    }
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      const message = 'the answer took longer than queryTimeout; ask for a shorter range'
      throw failure(platformContract, 'timeout', { message })
    }
    throw error
  }
}
